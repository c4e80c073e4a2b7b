// Two launches that the CPU runs in one pass, so that what lies between them stays in the caches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "solver/backend/backend.hpp"

namespace lbm::cpu {

// The second one reads planes that the first one writes. Which of its input planes are those, and
// which of them anybody else wants to see. Pure data.
struct LaunchPair {
  UpdateLaunch first, second;
  // By plane of second.in: the index in first.out, or -1 where it lies in its slot before the pair.
  std::array<int, max_planes_per_launch + 2> made{};
  std::uint64_t kept = 0;   // bits of first.out: to be stored in its slot as well
  std::uint64_t apart = 0;  // bits of first.out that second does not read
};

// The pair, if it pays: half of what first writes passes between the two only. And if rows may be
// done in any order as long as each row of second comes after the rows of first that it reads: no
// slot that second writes is read or written by first or read by second, but for the planes that
// pass.
std::optional<LaunchPair> pair_of(const UpdateLaunch& first, const UpdateLaunch& second);

// The rows of a pair that one thread does.
struct PairStrip {
  int y_begin, y_end;
  int piece;        // cells of a row done at a time, a multiple of 16
  bool stream;      // what is stored goes past the caches
  std::byte* ring;  // room for the planes that the second launch reads, aligned to 64 bytes
};

// Three rows of each of `planes` planes: with those that the second launch reads, the ring.
std::size_t pair_ring_bytes(const Lattice& lattice, int planes);

// Planes a visit for which two steps in one pass keep their rows in cache_for_rows(); 4 to 16, or 8
// where rows are so long that they are done in pieces.
int planes_in_cache(const Lattice& lattice);

// Cells of a row at a time that keep the ring in the cache.
int cells_per_piece(const Lattice& lattice, const LaunchPair& pair);

}  // namespace lbm::cpu
