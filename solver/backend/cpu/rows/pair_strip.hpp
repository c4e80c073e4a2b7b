// SPDX-License-Identifier: Apache-2.0

// How the CPU divides a pair of launches among threads: strips of rows, whose planes between the
// two steps stay in the caches.
#pragma once

#include <cstddef>

#include "solver/backend/launch_pair.hpp"

namespace lbm::cpu {

// The rows of a pair that one thread does.
struct PairStrip {
  int y_begin, y_end;
  int piece;        // cells of a row done at a time, a multiple of 16
  bool stream;      // stores bypass the caches
  std::byte* ring;  // memory for the rows between the launches, aligned to 64 bytes
};

// Size of the ring: three rows of each of `planes` planes.
std::size_t pair_ring_bytes(const Lattice& lattice, int planes);

// Planes per visit for which the rows of two steps in one pass fit cache_for_rows(): 4 to 16, or 8
// where rows are so long that they are done in pieces.
int planes_in_cache(const Lattice& lattice);

// Cells of a row to be done at a time for the ring to fit the cache.
int cells_per_piece(const Lattice& lattice, const LaunchPair& pair);

}  // namespace lbm::cpu
