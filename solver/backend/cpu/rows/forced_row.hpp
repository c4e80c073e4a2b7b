// SPDX-License-Identifier: Apache-2.0

// The cells of a row under a force that depends on the place, after the row has made its step.
#pragma once

#include <algorithm>

#include "solver/backend/cpu/rows/lanes.hpp"
#include "solver/update/forced_cells.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// True if the force acts on any cell of the row.
inline bool has_force(const BoundaryView& boundaries, int y, int z) {
  const float* const row = boundaries.row_of_forces(y, z);
  if (row == nullptr) return false;
  for (int a = 0; a < 3; ++a) {
    const float* const first = row + a * boundaries.force_cells;
    if (std::any_of(first, first + boundaries.force_row, [](float f) { return f != 0; })) {
      return true;
    }
  }
  return false;
}

// Pushes the cells [begin, end) of a row, multiples of 16 up to the pitch. Solid cells stay zero.
// solids: words of the mask of solid cells of the row, or null. out: first value of the row.
template <class Storage>
[[gnu::noinline]] void push_forced_cells(const ForcedCells<Storage>& forced,
                                         const BoundaryView& boundaries, const PlaneLayout& layout,
                                         const std::uint32_t* solids, int y, int z, int begin,
                                         int end, typename Storage::Value* out) {
  using Real = typename Storage::Real;
  using L = Lanes<Storage>;
  for (int x = begin; x < std::min(end, layout.nx); x += L::count) {
    alignas(64) Real forces[3][L::count] = {};
    for (int i = 0; i < std::min(L::count, layout.nx - x); ++i) {
      const int cell = x + i;
      if (solids != nullptr && (solids[cell >> 5] >> (cell & 31) & 1U) != 0) continue;
      const auto force = boundaries.with_force(ForceVector<Real>(), cell, y, z, forced.factor);
      forces[0][i] = force.x;
      forces[1][i] = force.y;
      forces[2][i] = force.z;
    }
    typename L::Vector values[Storage::values];
    for (int v = 0; v < Storage::values; ++v) values[v] = L::load(out + v * layout.pitch + x);
    const ForceVector<typename L::Vector> force{load_vector<typename L::Vector>(forces[0]),
                                                load_vector<typename L::Vector>(forces[1]),
                                                load_vector<typename L::Vector>(forces[2])};
    forced.push(values, force);
    for (int v = 0; v < Storage::values; ++v) {
      store_vector(out + v * layout.pitch + x, L::pack(values[v], forced.rounding));
    }
  }
}

}  // namespace
}  // namespace lbm::cpu
