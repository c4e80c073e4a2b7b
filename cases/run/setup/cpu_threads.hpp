// SPDX-License-Identifier: Apache-2.0

// Threads of the CPU backend where neither the case nor OMP_NUM_THREADS says how many.
#pragma once

#include <cstdint>

#include "solver/machine/machine_facts.hpp"

namespace lbm::cases {

// Cells of a thread below which fewer threads are as fast: each step ends with a wait for the
// slowest of them.
inline constexpr std::int64_t least_cells_of_thread = 8192;

// Threads of one process, at least one. cpus: of this host, all of which `processes` processes
// share unless each is bound to some. cells: of the process.
int cpu_threads(const UsableCpus& cpus, int processes, std::int64_t cells);

// The same for this machine. OMP_NUM_THREADS, where it is set, decides alone.
int cpu_threads_here(int processes, std::int64_t cells);

}  // namespace lbm::cases
