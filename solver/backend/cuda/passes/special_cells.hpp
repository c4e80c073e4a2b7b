// SPDX-License-Identifier: Apache-2.0

// The cells that a pass of two steps cannot finish alone. Pure data.
//
// A pass makes both steps by the main update, and the shift of some walls. Wrong after both steps:
// solid cells, boundary cells of the second pass, cells at other shifted walls. Wrong after the
// second step: their neighbours. The second pass and the kernel of walls repair their own cells.
// Solid cells and the neighbours are *special*: the main update repeats their second step, as a
// single step from level s + 1. The pass stores level s + 1 in the tiles that this step reads.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/backend/pass_plan.hpp"

namespace lbm::cuda {

// A range of SpecialCells::cells or SpecialCells::words_with_solids.
struct CellRange {
  std::uint32_t first = 0, count = 0;
};
// The ranges of one plane.
struct SpecialRange {
  CellRange fluid, solid;
  std::uint32_t solid_cells = 0;  // in the range `solid`
};

struct SpecialCells {
  int across = 0, count = 0;  // tiles in a row of tiles, and in a plane
  int words = 0;              // 32-bit words of a plane in `stored`
  unsigned walls = 0;         // bits: shifted walls that the pass itself does
  // Bit tile % 32 of word z * words + tile / 32: the tile of plane z holds a cell at most two cells
  // away from a wrong one, so the pass stores level s + 1 in it.
  std::vector<std::uint32_t> stored;
  // The ranges of each plane.
  std::vector<SpecialRange> range_of;
  std::vector<std::uint32_t> cells;  // fluid ones, as y * nx + x, sorted
  // Words of BoundaryView::solid_plane() that are not zero, as y * words_per_row + x / 32, sorted.
  std::vector<std::uint32_t> words_with_solids;

  bool is_stored(int z, int tile) const {
    return (stored[static_cast<std::size_t>(z) * words + tile / 32] >> (tile % 32) & 1U) != 0;
  }
};

// Limit for the entries of both lists: 64 MiB of device memory, which no prediction counts.
inline constexpr std::size_t most_special_cells = std::size_t{1} << 24;

// Empty beyond this limit. boundaries: null for none. tile.nx: a multiple of 32.
std::optional<SpecialCells> find_special_cells(const Lattice& lattice, const Boundaries* boundaries,
                                               TileSize tile);

}  // namespace lbm::cuda
