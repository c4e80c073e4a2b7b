// Two launches that the CPU runs in one pass: the planes between them stay in the caches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "solver/backend/backend.hpp"

namespace lbm::cpu {

// The second launch reads planes that the first one writes. Says which, and which of them must also
// be stored. Pure data.
struct LaunchPair {
  UpdateLaunch first, second;
  // For each plane of second.in: its index in first.out, or -1 for a plane that is in its slot
  // before the pair.
  std::array<int, max_planes_per_launch + 2> made{};
  std::uint64_t kept = 0;   // bits of first.out: planes to be stored in their slots as well
  std::uint64_t apart = 0;  // bits of first.out that second does not read
};

// The pair, where it pays and is valid. It pays where only `second` reads at least half of the
// planes that `first` writes. It is valid where rows may be done in any order in which a row of
// `second` comes after the rows of `first` that it reads: apart from the planes passed on, no slot
// that `second` writes is read or written by `first` or read by `second`.
std::optional<LaunchPair> pair_of(const UpdateLaunch& first, const UpdateLaunch& second);

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
