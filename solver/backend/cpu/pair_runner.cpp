// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/cpu/pair_runner.hpp"

#include <omp.h>

#include "solver/backend/cpu/caches.hpp"
#include "solver/backend/cpu/flush_subnormals.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cpu {

bool PairRunner::run(const Kernels& kernels, const DeviceLattice& lattice, const LaunchPair& pair,
                     int threads, int piece) {
  constexpr int least_rows = 8;  // each strip computes the first step of two more rows
  const int ny = lattice.lattice.layout.ny;
  if (ny < least_rows * threads || lattice.lattice.layout.fluid_only) return false;
  const std::size_t bytes = pair_ring_bytes(lattice.lattice, pair.second.count + 2);
  rings_.resize(static_cast<std::size_t>(threads));
  for (Buffer& ring : rings_) {
    if (ring.size() < bytes) ring = map_host_memory(bytes, "rows between two steps");
  }
  if (piece == 0) piece = cells_per_piece(lattice.lattice, pair);
  const bool stream = exceeds_caches(lattice.lattice);
#pragma omp parallel num_threads(threads)
  {
    const FlushSubnormals flush;
    std::byte* const ring = rings_[static_cast<std::size_t>(omp_get_thread_num())].data();
#pragma omp for schedule(static)
    for (int i = 0; i < threads; ++i) {
      const int begin = static_cast<int>(1LL * ny * i / threads);
      const int end = static_cast<int>(1LL * ny * (i + 1) / threads);
      kernels.of(lattice.lattice).update_pair(lattice, pair, {begin, end, piece, stream, ring});
    }
  }
  return true;
}

}  // namespace lbm::cpu
