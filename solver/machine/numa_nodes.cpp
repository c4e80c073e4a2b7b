// SPDX-License-Identifier: Apache-2.0
#include "solver/machine/numa_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <functional>
#include <iterator>
#include <optional>
#include <sstream>

namespace lbm {
namespace {

// A line "Node 1 KEY:   123 kB" in bytes; 0 without one.
std::uint64_t node_bytes(const std::string& text, int node, const char* key) {
  return bytes_in(value_in(text, fmt::format("Node {} {}", node, key))).value_or(0);
}

NumaNode read_node(const SystemFiles& files, int number) {
  const std::string directory = fmt::format("/sys/devices/system/node/node{}", number);
  NumaNode node;
  node.number = number;
  node.cpu_list = files.line(directory + "/cpulist");
  node.cpus = parse_numa_list(node.cpu_list);
  const std::string meminfo = files.text(directory + "/meminfo");
  node.total = node_bytes(meminfo, number, "MemTotal");
  node.free = std::min(node.total, node_bytes(meminfo, number, "MemFree"));
  const std::uint64_t cache = node_bytes(meminfo, number, "Active(file)") +
                              node_bytes(meminfo, number, "Inactive(file)") +
                              node_bytes(meminfo, number, "SReclaimable");
  node.reclaimable = std::min(cache, node.total - node.free);
  std::istringstream distances(files.text(directory + "/distance"));
  node.distances.assign(std::istream_iterator<int>(distances), {});
  return node;
}

std::uint64_t less(std::uint64_t all, std::uint64_t part) { return all - std::min(all, part); }

int distance_between(const std::vector<NumaNode>& nodes, int from, int to) {
  for (const NumaNode& node : nodes) {
    if (node.number != from) continue;
    // The columns are the nodes that are online, in order.
    for (std::size_t i = 0; i < std::min(nodes.size(), node.distances.size()); ++i) {
      if (nodes[i].number == to) return node.distances[i];
    }
  }
  return INT_MAX;
}

template <class Bytes>
std::uint64_t sum(const std::vector<NumaNode>& nodes, const Bytes& bytes) {
  std::uint64_t all = 0;
  for (const NumaNode& node : nodes) all += std::invoke(bytes, node);
  return all;
}

// The system's MemAvailable counts all nodes. Where some of them are not the host's, or not
// allowed, the host nodes are summed up. The kernel keeps a reserve, by which MemAvailable is below
// the sum of all nodes: as nobody says on which node, it counts as the host's.
void count_host_nodes(const std::vector<NumaNode>& nodes, MachineMemory& memory) {
  const std::vector<NumaNode> host = host_nodes(nodes);
  const std::uint64_t all = sum(nodes, &NumaNode::total), own = sum(host, &NumaNode::total);
  if (own == 0 || own == all) return;
  memory.without_cpus = sum(nodes_without_cpus(nodes), &NumaNode::total);
  memory.not_allowed = less(all - own, memory.without_cpus);
  const std::uint64_t everywhere = sum(nodes, &NumaNode::available),
                      here = sum(host, &NumaNode::available);
  const std::uint64_t reserve = less(everywhere, memory.available);
  memory.total = std::min(memory.total, own);
  memory.available = std::min(memory.available, less(here, reserve));
}

// Keeps the limit that leaves least.
void take_limit(std::optional<std::uint64_t> limit, std::uint64_t used, MachineMemory& memory) {
  constexpr std::uint64_t absurd = std::uint64_t{1} << 60;  // "no limit" of the first version
  if (!limit || *limit >= absurd) return;
  if (memory.limited() && less(*limit, used) >= less(memory.group_limit, memory.group_used)) return;
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
    take_limit(files.number(directory + words.limit), less(used, cache), memory);
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

std::vector<NumaNode> numa_nodes(const SystemFiles& files) {
  std::vector<NumaNode> nodes;
  for (const int number : parse_numa_list(files.text("/sys/devices/system/node/online"))) {
    nodes.push_back(read_node(files, number));
  }
  const auto allowed = parse_numa_list(files.value("/proc/self/status", "Mems_allowed_list"));
  const auto is_allowed = [&](const NumaNode& node) {
    return std::find(allowed.begin(), allowed.end(), node.number) != allowed.end();
  };
  // A list that names none of the nodes is of another machine.
  if (std::none_of(nodes.begin(), nodes.end(), is_allowed)) return nodes;
  for (NumaNode& node : nodes) node.allowed = is_allowed(node);
  return nodes;
}

std::vector<NumaNode> host_nodes(const std::vector<NumaNode>& nodes) {
  std::vector<NumaNode> host = nodes;
  std::erase_if(host, [](const NumaNode& node) { return !node.has_cpus() || !node.allowed; });
  return host.empty() ? nodes : host;
}

std::vector<NumaNode> nodes_without_cpus(const std::vector<NumaNode>& nodes) {
  std::vector<NumaNode> others = nodes;
  std::erase_if(others, [](const NumaNode& node) { return node.has_cpus() || node.total == 0; });
  const bool known = std::any_of(nodes.begin(), nodes.end(), std::mem_fn(&NumaNode::has_cpus));
  return known ? others : std::vector<NumaNode>{};
}

int nearest_host_node(const std::vector<NumaNode>& nodes, int node) {
  int nearest = -1, least = INT_MAX;
  const bool known = std::any_of(nodes.begin(), nodes.end(),
                                 [&](const NumaNode& other) { return other.number == node; });
  if (!known) return -1;
  for (const NumaNode& host : host_nodes(nodes)) {
    if (host.number == node) return node;
    const int distance = distance_between(nodes, node, host.number);
    if (nearest < 0 || distance < least) {
      nearest = host.number;
      least = distance;
    }
  }
  return nearest;
}

int numa_node_of_pci(const std::string& pci_id, const SystemFiles& files) {
  const auto node = files.number("/sys/bus/pci/devices/" + pci_id + "/numa_node");
  return node && *node < most_number ? static_cast<int>(*node) : -1;
}

std::uint64_t MachineMemory::usable_total() const { return std::min(total, group_limit); }

std::uint64_t MachineMemory::usable_available() const {
  if (!limited()) return available;
  return std::min(available, less(group_limit, group_used));
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
