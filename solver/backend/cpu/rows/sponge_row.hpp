// SPDX-License-Identifier: Apache-2.0

// Relaxation of the cells of a row that lie in sponges, after the row's update.
#pragma once

#include "solver/backend/cpu/rows/lanes.hpp"
#include "solver/update/sponge_cells.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// True if any cell of the row may lie in a sponge.
template <class Storage>
bool has_sponge(const SpongeCells<Storage>& sponge, int y, int z) {
  return sponge.any() &&
         ((sponge.faces & (x_min | x_max)) != 0 || sponge.reaches(1, y) || sponge.reaches(2, z));
}

// Relaxes the cells [begin, end) of a row; both are multiples of 16 up to the pitch. Solid cells
// stay zero. solids: words of the row's mask of solid cells, or null. out: first value of the row.
template <class Storage>
[[gnu::noinline]] void relax_in_sponge(const SpongeCells<Storage>& sponge,
                                       const PlaneLayout& layout, const std::uint32_t* solids,
                                       int y, int z, int begin, int end,
                                       typename Storage::Value* out) {
  using Real = typename Storage::Real;
  using L = Lanes<Storage>;
  const Real of_row = sponge.share(1, y) + sponge.share(2, z);
  for (int x = begin; x < std::min(end, layout.nx); x += L::count) {
    const int last = std::min(x + L::count, layout.nx) - 1;
    if (!(of_row > 0) && !sponge.at_low(0, x) && !sponge.at_high(0, last)) continue;
    alignas(64) Real shares[L::count] = {};
    for (int i = 0; x + i <= last; ++i) {
      const int cell = x + i;
      if (solids != nullptr && (solids[cell >> 5] >> (cell & 31) & 1U) != 0) continue;
      shares[i] = of_row + sponge.share(0, cell);
    }
    const auto share = load_vector<typename L::Vector>(shares);
    for (int v = 0; v < Storage::values; ++v) {
      auto* const at = out + v * layout.pitch + x;
      store_vector(at, L::pack(sponge.relaxed(v, L::load(at), share), sponge.rounding));
    }
  }
}

}  // namespace
}  // namespace lbm::cpu
