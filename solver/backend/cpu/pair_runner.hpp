// SPDX-License-Identifier: Apache-2.0

// Runs pairs of launches on all threads, each a strip of rows as large as the caches allow.
#pragma once

#include <vector>

#include "solver/backend/cpu/kernels.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::cpu {

// True if planes leave the caches before the next step reads them. Stores should then bypass the
// caches.
bool exceeds_caches(const Lattice& lattice);

// Bytes of a core's second-level cache that one thread may use for rows between two steps; the rest
// is for the other rows that it reads and writes.
long cache_for_rows();

// Size of the ring: three rows of each of `planes` planes.
std::size_t pair_ring_bytes(const Lattice& lattice, int planes);

// Planes per visit for which the rows of two steps in one pass fit cache_for_rows(): 4 to 16, or 8
// where rows are so long that they are done in pieces.
int planes_in_cache(const Lattice& lattice);

// Cells of a row to be done at a time for the ring to fit the cache.
int cells_per_piece(const Lattice& lattice, const LaunchPair& pair);

// Owns the rings between the two launches.
class PairRunner {
 public:
  // Returns false, with nothing done, where there are too few rows for the threads. piece: as in
  // PairStrip; 0: chosen for the caches.
  bool run(const Kernels& kernels, const DeviceLattice& lattice, const LaunchPair& pair,
           int threads, int piece = 0);

 private:
  std::vector<Buffer> rings_;  // by thread
};

}  // namespace lbm::cpu
