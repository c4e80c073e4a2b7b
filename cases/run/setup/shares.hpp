// SPDX-License-Identifier: Apache-2.0

// The share of each process of a run: planes, GPU, threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/machine/machine_facts.hpp"

namespace lbm::cases {

// Integer arithmetic only, so that all ranks get the same result.
// Planes of each rank, lowest first, in proportion to speeds (above 0, any unit, below 2^31) as far
// as whole planes allow, but at least `least`. Requires nz >= least * ranks.
std::vector<int> share_planes(int nz, const std::vector<std::int64_t>& speeds, int least);

// A rank's view: its host, and the GPUs it may use there, by names that all ranks of the host
// share.
struct VisibleDevices {
  std::string host;
  std::vector<std::string> names;
};

struct PickedDevice {
  int index = 0;    // among the visible GPUs of the rank
  int sharers = 1;  // ranks on the same GPU
};

// By rank, in order: the first GPU from number `first` on that no lower rank on its host has. If
// none is left and `share` is set, the one with the fewest ranks; otherwise empty. A launcher may
// show all GPUs of a host to each of its ranks, or one to each.
std::vector<std::optional<PickedDevice>> pick_devices(const std::vector<VisibleDevices>& all,
                                                      int first, bool share);

// Cells of a thread below which fewer threads are as fast: each step ends with a wait for the
// slowest of them.
inline constexpr std::int64_t least_cells_of_thread = 8192;

// Threads of the CPU backend of one process where the case does not say how many, at least one.
// cpus: of this host, all of which `processes` processes
// share unless each is bound to some. cells: of the process.
int cpu_threads(const UsableCpus& cpus, int processes, std::int64_t cells);

// The same for this machine. OMP_NUM_THREADS, where it is set, decides alone.
int cpu_threads_here(int processes, std::int64_t cells);

}  // namespace lbm::cases
