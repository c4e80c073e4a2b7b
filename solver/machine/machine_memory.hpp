// SPDX-License-Identifier: Apache-2.0

// How much memory the host has for this process.
#pragma once

#include <cstdint>
#include <limits>

#include "solver/machine/numa_nodes.hpp"
#include "solver/machine/system_files.hpp"

namespace lbm {

// Bytes throughout.
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
