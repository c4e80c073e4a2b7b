// Where a GPU may make two steps in one pass: the grid is divided into tiles of columns, and a tile
// of a plane is *plain* if the main update alone gives all its cells and those around it. All other
// tiles are *special*: they hold, or touch, solid cells, cells at bodies, or cells at faces whose
// boundary condition the second pass does. Pure data.
#pragma once

#include <cstdint>
#include <vector>

#include "solver/backend/backend.hpp"
#include "solver/backend/pass_plan.hpp"

namespace lbm::cuda {

// One tile of plane z.
struct PlaneTile {
  std::int32_t z, tile;
};

struct TileMap {
  int across = 0, count = 0;           // tiles in a row of tiles, and in a plane
  int words = 0;                       // 32-bit words of a plane in `special`
  std::vector<std::uint32_t> special;  // bit tile % 32 of word z * words + tile / 32
  // The tiles of which the first step of a pass must be in memory: special tiles and those right
  // above and below them. Sorted by plane; plane z has first_of[z] ... first_of[z + 1] - 1.
  std::vector<PlaneTile> near_special;
  std::vector<std::size_t> near_first;
  // The special tiles, in the same order.
  std::vector<PlaneTile> special_tiles;
  std::vector<std::size_t> special_first;

  bool is_special(int z, int tile) const {
    return (special[static_cast<std::size_t>(z) * words + tile / 32] >> (tile % 32) & 1U) != 0;
  }
};

// boundaries: null for none.
TileMap make_tile_map(const Lattice& lattice, const Boundaries* boundaries, TileSize size);

}  // namespace lbm::cuda
