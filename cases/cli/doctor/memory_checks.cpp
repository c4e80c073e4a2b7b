// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cases/cli/doctor/checks.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases::doctor {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

Check host_memory_check(const DoctorFacts& facts) {
  const MachineMemory& memory = facts.memory;
  const std::string name = "host memory";
  if (memory.total == 0) {
    return {Verdict::refused, name, "unknown: /proc/meminfo is missing, grids are refused",
            "mount /proc; on a GPU it helps to set host.memory_limit in the case",
            facts.gpus.empty() && !facts.described()};
  }
  std::string text = fmt::format("{} available of {}", human_bytes(memory.usable_available()),
                                 human_bytes(memory.usable_total()));
  if (memory.limited()) {
    text += fmt::format(", limit of the control group {}", human_bytes(memory.group_limit));
    if (memory.group_limit > memory.total) text += " (more than there is)";
  } else {
    text += facts.groups_known ? ", no limit of a control group"
                               : ", control groups unknown (/sys/fs/cgroup is missing)";
  }
  if (memory.without_cpus > 0) {
    text +=
        fmt::format("; not counted: {} on nodes without CPUs", human_bytes(memory.without_cpus));
  }
  if (memory.not_allowed > 0) {
    text += fmt::format("; not counted: {} on nodes that this process may not use",
                        human_bytes(memory.not_allowed));
  }
  if (memory.usable_available() < 64 * mebibyte) {
    return {Verdict::refused, name, text + ": too little for any run",
            "end other programs, or raise the memory of the job or container", true};
  }
  const bool small_group = memory.limited() && memory.usable_total() < memory.total;
  if (memory.not_allowed == 0 && !small_group) return {Verdict::ok, name, text, ""};
  return {Verdict::fallback, name, text + ": less than the machine has",
          "where more is needed, raise the memory of the job or container"};
}

Check page_check(const DoctorFacts& facts) {
  return {Verdict::ok, "page size", human_bytes(facts.page), ""};
}

Check transparent_check(const DoctorFacts& facts) {
  const TransparentPages& pages = facts.transparent;
  const std::string name = "huge pages";
  const std::string size = pages.bytes > 0 ? human_bytes(pages.bytes) : "of unknown size";
  if (pages.mode == "always" || pages.mode == "madvise") {
    return {Verdict::ok, name, fmt::format("transparent: {}, {}", pages.mode, size), ""};
  }
  if (pages.mode.empty()) {
    return {Verdict::fallback, name,
            "transparent: unknown, /sys/kernel/mm/transparent_hugepage is missing",
            "mount /sys; a kernel without such pages makes pinning slower"};
  }
  return {Verdict::fallback, name,
          fmt::format("transparent: {}; planes lie in pages of {}", pages.mode,
                      human_bytes(facts.page)),
          "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled (as root)"};
}

// They are taken from the memory of all, and lbm does not use them.
Check pools_check(const DoctorFacts& facts) {
  const std::string name = "explicit huge pages";
  std::vector<std::string> pools;
  std::uint64_t bytes = 0;
  for (const HugePagePool& pool : facts.pools) {
    pools.push_back(
        fmt::format("{} of {} ({} free)", pool.pages, human_bytes(pool.bytes), pool.free));
    bytes += pool.bytes * pool.pages;
  }
  if (pools.empty()) {
    return {Verdict::ok, name,
            facts.pools_known ? "none set aside; lbm uses none" : "unknown; lbm uses none", ""};
  }
  const std::string text = fmt::format("{}; lbm uses none", fmt::join(pools, ", "));
  if (bytes < facts.memory.total / 20) return {Verdict::ok, name, text, ""};
  return {Verdict::fallback, name,
          fmt::format("{}: {} that no grid can have", text, human_bytes(bytes)),
          "sysctl vm.nr_hugepages=0 (as root) where nothing else needs them"};
}

std::string limit_text(std::uint64_t bytes) {
  return bytes == unlimited ? "unlimited" : human_bytes(bytes);
}

Check locked_check(const DoctorFacts& facts) {
  const std::string name = "locked memory";
  std::string text = fmt::format("ulimit -l: {}", limit_text(facts.locked.soft));
  if (facts.locked.soft == unlimited) return {Verdict::ok, name, text, ""};
  if (facts.locked.hard != facts.locked.soft) {
    text += fmt::format(" (may be raised to {})", limit_text(facts.locked.hard));
  }
  const auto pinned = std::find_if(facts.gpus.begin(), facts.gpus.end(), [&](const GpuFacts& gpu) {
    return gpu.pinned > facts.locked.soft;
  });
  if (pinned != facts.gpus.end()) {
    text += fmt::format("; the GPU's driver pinned {} all the same", human_bytes(pinned->pinned));
  }
  if (facts.build.mpi.empty())
    return {Verdict::ok, name, text + "; no MPI that would need more", ""};
  return {Verdict::fallback, name, text + "; MPI over InfiniBand may need more",
          "between hosts: ulimit -l unlimited before mpirun; docker run --ulimit memlock=-1"};
}

std::string node_text(const NumaNode& node) {
  return fmt::format("node {} (CPUs {}, {}, {} free or file cache)", node.number,
                     numa_list(node.cpus), human_bytes(node.total), human_bytes(node.available()));
}

// "node 1 (95.0 GiB), the memory of gpu 0"
std::string foreign_text(const DoctorFacts& facts, const NumaNode& node) {
  std::string text = fmt::format("node {} ({})", node.number, human_bytes(node.total));
  for (std::size_t i = 0; i < facts.gpus.size(); ++i) {
    if (facts.gpus[i].device.own_numa_node == node.number) {
      text += fmt::format(", the memory of gpu {}", i);
    }
  }
  return text;
}

Check numa_check(const DoctorFacts& facts) {
  const std::string name = "NUMA";
  if (facts.nodes.empty()) {
    return {Verdict::fallback, name,
            "unknown: /sys/devices/system/node is missing; memory and threads are not bound",
            "mount /sys (docker and podman do unless told otherwise)"};
  }
  std::vector<std::string> host, foreign;
  for (const NumaNode& node : host_nodes(facts.nodes)) host.push_back(node_text(node));
  for (const NumaNode& node : nodes_without_cpus(facts.nodes)) {
    foreign.push_back(foreign_text(facts, node));
  }
  std::string text = fmt::format("{} node{}; host memory on {}", facts.nodes.size(),
                                 facts.nodes.size() == 1 ? "" : "s", fmt::join(host, ", "));
  if (!foreign.empty()) {
    text += fmt::format("; no CPUs, so not the host's: {}", fmt::join(foreign, ", "));
  }
  // Virtual machines that are given memory while they run may not count it to any node.
  std::uint64_t on_nodes = 0;
  for (const NumaNode& node : facts.nodes)
    on_nodes += node.allowed && node.has_cpus() ? node.total : 0;
  if (on_nodes < facts.memory.total / 10 * 9) {
    text += fmt::format("; the system counts the other {} to no node",
                        human_bytes(facts.memory.total - on_nodes));
  }
  if (facts.trial) {
    text += fmt::format("; {} on trial: {}, {}", human_bytes(facts.trial->bytes),
                        to_string(facts.trial->placement), shares_text(facts.trial->shares));
    if (facts.trial->placement == Placement::refused) {
      return {Verdict::fallback, name, text + ": the system lets no process choose a node (mbind)",
              "in a container: docker run --cap-add SYS_NICE"};
    }
  }
  return {Verdict::ok, name, text, ""};
}

Check cpuset_check(const DoctorFacts& facts) {
  std::vector<int> forbidden;
  for (const NumaNode& node : facts.nodes) {
    if (!node.allowed && node.has_cpus()) forbidden.push_back(node.number);
  }
  if (forbidden.empty()) return {Verdict::ok, "cpuset", "memory is allowed on all nodes", ""};
  return {Verdict::fallback, "cpuset",
          fmt::format("no memory allowed on node {}", numa_list(forbidden)),
          "ask the batch system for whole nodes where the grid needs them"};
}

}  // namespace

void check_memory(const DoctorFacts& facts, Checks& checks) {
  checks.push_back(host_memory_check(facts));
  checks.push_back(page_check(facts));
  checks.push_back(transparent_check(facts));
  checks.push_back(pools_check(facts));
  checks.push_back(locked_check(facts));
  checks.push_back(numa_check(facts));
  if (!facts.nodes.empty()) checks.push_back(cpuset_check(facts));
}

}  // namespace lbm::cases::doctor
