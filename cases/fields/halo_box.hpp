// SPDX-License-Identifier: Apache-2.0

// The cells to load for the wanted ones: gradients need one more on each side.
#pragma once

#include <array>

#include "tiling/store/field_box.hpp"

namespace lbm::fields {

struct GridShape {
  std::array<int, 3> cells{};
  std::array<bool, 3> periodic{};
};

struct HaloBox {
  tiling::FieldBox wanted, loaded;
  // Wanted cell (i, j) is loaded cell (first[0] + i * step, first[1] + j * step).
  std::array<int, 2> first{};
  int step = 1;
  bool has_halo = false;

  std::int64_t loaded_cell(int i, int j) const {
    return static_cast<std::int64_t>(first[1] + j * step) * loaded.count[0] + first[0] + i * step;
  }
  // Grid coordinates of a wanted cell.
  int x(int i, int nx) const { return (wanted.begin[0] + i * wanted.stride) % nx; }
  int y(int j, int ny) const { return (wanted.begin[1] + j * wanted.stride) % ny; }
};

// Without halo, the loaded cells are the wanted ones.
HaloBox with_halo(const GridShape& grid, const tiling::FieldBox& wanted, bool halo);

}  // namespace lbm::fields
