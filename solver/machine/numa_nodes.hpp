// SPDX-License-Identifier: Apache-2.0

// The NUMA nodes of the machine, and the memory of the host. A node without CPUs is not the host's
// memory: the memory of a coherent GPU (GH200, GB200) is such a node, and so is an expansion card.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "solver/machine/machine_facts.hpp"

namespace lbm {

struct NumaNode {
  int number = 0;
  std::string cpu_list;  // "0-3,8"
  std::vector<int> cpus;
  std::uint64_t total = 0, free = 0;  // bytes
  std::uint64_t reclaimable = 0;      // bytes of file cache, which the kernel gives up when asked
  std::vector<int> distances;         // to node 0, 1 ... as the firmware says; may be empty
  bool allowed = true;                // this process may have memory there (cpuset)

  bool has_cpus() const { return !cpus.empty(); }
  // Bytes that a process bound to this node can have if the kernel gives up the file cache.
  std::uint64_t available() const { return free + reclaimable; }
};

// Nodes that are online, by number. None where the system does not describe them.
std::vector<NumaNode> numa_nodes(const SystemFiles& files);

// Those with CPUs that this process may use: the memory of the host. All nodes where none has CPUs,
// as some virtual machines say.
std::vector<NumaNode> host_nodes(const std::vector<NumaNode>& nodes);

// The nodes with memory and without CPUs.
std::vector<NumaNode> nodes_without_cpus(const std::vector<NumaNode>& nodes);

// The host node nearest to `node`: itself if it is one, else the one with the smallest distance, at
// equal distance the first. -1 for a node that is not there.
int nearest_host_node(const std::vector<NumaNode>& nodes, int node);

// The node of a PCI device ("0000:17:00.0"); -1: unknown, or all memory is equally near.
int numa_node_of_pci(const std::string& pci_id, const SystemFiles& files);

// How much memory the host has for this process. Bytes throughout.
struct MachineMemory {
  static constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

  // Memory of NUMA nodes that have CPUs and that the process may use; 0: unknown.
  std::uint64_t total = 0, available = 0;
  // Memory of nodes without CPUs (not host memory); of nodes that the process may not use.
  std::uint64_t without_cpus = 0, not_allowed = 0;
  // The control group of this process, or a group above it: the group with the least memory left.
  std::uint64_t group_limit = no_limit, group_used = 0;

  bool limited() const { return group_limit != no_limit; }
  // The smaller of the machine and of the control group.
  std::uint64_t usable_total() const;
  std::uint64_t usable_available() const;
};

MachineMemory machine_memory(const SystemFiles& files);

}  // namespace lbm
