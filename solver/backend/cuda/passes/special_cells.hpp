// SPDX-License-Identifier: Apache-2.0

// The cells that a pass of two steps cannot finish alone. Pure data.
//
// A pass makes both steps by the main update, and the shift of some walls. Its values are wrong in
// solid cells, in cells at other shifted walls and in cells of the second pass. Its second step is
// also wrong in the cells around them. The kernel of walls and the second pass update their own
// cells again. The other cells, solid ones and those around wrong ones, are *special*: the main
// update makes their second step again, as a single step from the level between the steps. The pass
// stores that level in the tiles from which the single step reads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/backend/pass_plan.hpp"

namespace lbm::cuda {

// A stretch of SpecialCells::cells or SpecialCells::words_with_solids.
struct CellRange {
  std::uint32_t first = 0, count = 0;
};
// Those of a plane.
struct SpecialRange {
  CellRange fluid, solid;
  std::uint32_t solid_cells = 0;  // in these words
};

struct SpecialCells {
  int across = 0, count = 0;  // tiles in a row of tiles, and in a plane
  int words = 0;              // 32-bit words of a plane in `stored`
  unsigned walls = 0;         // bits: shifted walls that the pass itself does
  // Bit tile % 32 of word z * words + tile / 32: the tile of plane z holds a cell at most two cells
  // away from a wrong one, so the pass stores the level between in it.
  std::vector<std::uint32_t> stored;
  // The ranges of each plane.
  std::vector<SpecialRange> range_of;
  // The lists of each plane, numbered from 0 on: consecutive planes with the same ones share them.
  std::vector<std::int32_t> list_of;
  std::vector<std::uint32_t> cells;  // fluid ones, as y * nx + x, sorted
  // Words of BoundaryView::solid_plane() that are not zero, as y * words_per_row + x / 32, sorted.
  std::vector<std::uint32_t> words_with_solids;

  bool is_stored(int z, int tile) const {
    return (stored[static_cast<std::size_t>(z) * words + tile / 32] >> (tile % 32) & 1U) != 0;
  }
};

// Entries of both lists at most: 64 MiB on the device, which no plan counts.
inline constexpr std::size_t most_special_cells = std::size_t{1} << 24;

// Nothing where there are more. boundaries: null for none. tile: its size, whole words
// of 32 cells in x.
std::optional<SpecialCells> find_special_cells(const Lattice& lattice, const Boundaries* boundaries,
                                               TileSize tile);

}  // namespace lbm::cuda
