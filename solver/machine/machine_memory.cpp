// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/machine_memory.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>

namespace lbm {
namespace {

std::uint64_t sum(const std::vector<NumaNode>& nodes, std::uint64_t (*of)(const NumaNode&)) {
  return std::accumulate(nodes.begin(), nodes.end(), std::uint64_t{0},
                         [&](std::uint64_t all, const NumaNode& node) { return all + of(node); });
}

std::uint64_t total_of(const NumaNode& node) { return node.total; }
std::uint64_t available_of(const NumaNode& node) { return node.available(); }

// The system's MemAvailable counts all nodes. Where some of them are not the host's, or not
// allowed, the host nodes are summed up. The kernel keeps a reserve, by which MemAvailable is below
// the sum of all nodes: as nobody says on which node, it counts as the host's.
void count_host_nodes(const std::vector<NumaNode>& nodes, MachineMemory& memory) {
  const std::vector<NumaNode> host = host_nodes(nodes);
  const std::uint64_t all = sum(nodes, total_of), own = sum(host, total_of);
  if (own == 0 || own == all) return;
  memory.without_cpus = sum(nodes_without_cpus(nodes), total_of);
  memory.not_allowed = all - own - std::min(all - own, memory.without_cpus);
  const std::uint64_t everywhere = sum(nodes, available_of), here = sum(host, available_of);
  const std::uint64_t reserve = everywhere - std::min(everywhere, memory.available);
  memory.total = std::min(memory.total, own);
  memory.available = std::min(memory.available, here - std::min(here, reserve));
}

// Keeps the limit that leaves least.
void take_limit(std::optional<std::uint64_t> limit, std::uint64_t used, MachineMemory& memory) {
  constexpr std::uint64_t absurd = std::uint64_t{1} << 60;  // "no limit" of the first version
  if (!limit || *limit >= absurd) return;
  const auto left = [](std::uint64_t most, std::uint64_t taken) {
    return most - std::min(most, taken);
  };
  if (memory.limited() && left(*limit, used) >= left(memory.group_limit, memory.group_used)) return;
  memory.group_limit = *limit;
  memory.group_used = used;
}

// Names of the files and words of a version of control groups.
struct GroupWords {
  const char *limit, *used, *cache;
};

// The control group of this process and those above it. In a container the directory of the group
// may be the top of the tree that the container sees. The kernel gives up inactive file cache
// before a group reaches its limit.
void add_limits(const SystemFiles& files, const std::string& tree, std::string group,
                const GroupWords& words, MachineMemory& memory) {
  while (true) {
    const std::string directory = tree + group + "/";
    const std::uint64_t used = files.number(directory + words.used).value_or(0);
    const auto cache = bytes_in(files.value(directory + "memory.stat", words.cache)).value_or(0);
    take_limit(files.number(directory + words.limit), used - std::min(used, cache), memory);
    if (group.empty()) return;
    group.resize(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

void add_group_limits(const SystemFiles& files, MachineMemory& memory) {
  // "0::/user.slice" (second version) or "4:memory:/job" (first one).
  std::string unified, first;
  std::istringstream lines(files.text("/proc/self/cgroup"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':'), path = line.find(":/");
    if (colon == std::string::npos || path == std::string::npos) continue;
    const std::string names = "," + line.substr(colon + 1, path - std::min(path, colon + 1)) + ",";
    const std::string group = line.substr(path + 1) == "/" ? "" : line.substr(path + 1);
    if (colon == path - 1) unified = group;
    if (names.find(",memory,") != std::string::npos) first = group;
  }
  add_limits(files, "/sys/fs/cgroup", unified, {"memory.max", "memory.current", "inactive_file"},
             memory);
  add_limits(files, "/sys/fs/cgroup/memory", first,
             {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"}, memory);
}

}  // namespace

std::uint64_t MachineMemory::usable_total() const { return std::min(total, group_limit); }

std::uint64_t MachineMemory::usable_available() const {
  if (!limited()) return available;
  return std::min(available, group_limit - std::min(group_limit, group_used));
}

MachineMemory machine_memory(const SystemFiles& files) {
  MachineMemory memory;
  const std::string meminfo = files.text("/proc/meminfo");
  memory.total = bytes_in(value_in(meminfo, "MemTotal")).value_or(0);
  memory.available = bytes_in(value_in(meminfo, "MemAvailable")).value_or(0);
  count_host_nodes(numa_nodes(files), memory);
  add_group_limits(files, memory);
  return memory;
}

}  // namespace lbm
