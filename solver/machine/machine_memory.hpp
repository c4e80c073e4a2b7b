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

  // Of nodes with CPUs that the process may use; 0 where the system does not say.
  std::uint64_t total = 0, available = 0;
  // On nodes without CPUs, which are not the host's, and on nodes that the process may not use.
  std::uint64_t without_cpus = 0, not_allowed = 0;
  // Of the control group of this process, or of one above it: the one that leaves least.
  std::uint64_t group_limit = no_limit, group_used = 0;

  bool limited() const { return group_limit != no_limit; }
  // The smaller of the machine and of the control group.
  std::uint64_t usable_total() const;
  std::uint64_t usable_available() const;
};

MachineMemory machine_memory(const SystemFiles& files);

}  // namespace lbm
