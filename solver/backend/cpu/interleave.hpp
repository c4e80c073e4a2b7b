// Runs a list of launches on all threads, interleaved by rows (see row_schedule.hpp).
#pragma once

#include <span>

#include "solver/backend/cpu/kernels.hpp"

namespace lbm::cpu {

// The same bits as the launches one after the other, each on all its rows. tile: rows of one launch
// that a thread does before it turns to the next launch.
void run_interleaved(const Kernels& kernels, const DeviceLattice& lattice,
                     std::span<const UpdateLaunch> launches, int threads, int tile);

// Whether what a step writes has left the caches before the next one reads it: then it better goes
// straight to memory.
bool exceeds_caches(const Lattice& lattice);

// Rows that let `planes` planes and their inputs stay in a thread's share of the caches.
int rows_per_tile(const Lattice& lattice, int planes);

}  // namespace lbm::cpu
