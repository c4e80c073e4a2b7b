// SPDX-License-Identifier: Apache-2.0

// Two launches that a device runs in one pass over its memory: most planes between them are never
// stored. Pure data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "solver/backend/backend.hpp"

namespace lbm {

// The second launch reads planes that the first one writes. Says which, and which of them must also
// be stored.
struct LaunchPair {
  UpdateLaunch first, second;
  // For each plane of second.in: its index in first.out, or -1 for a plane that is in its slot
  // before the pair.
  std::array<int, max_planes_per_launch + 2> made{};
  std::uint64_t kept = 0;   // bits of first.out: planes to be stored in their slots as well
  std::uint64_t apart = 0;  // bits of first.out that second does not read
};

// The pair, where it pays and is valid. It pays where only `second` reads at least half of the
// planes that `first` writes. It is valid where a cell of `second` may be updated at any time after
// the cells of `first` that it reads: apart from the planes passed on, no slot that `second` writes
// is read or written by `first` or read by `second`; and each plane is made once.
std::optional<LaunchPair> pair_of(const UpdateLaunch& first, const UpdateLaunch& second);

}  // namespace lbm
