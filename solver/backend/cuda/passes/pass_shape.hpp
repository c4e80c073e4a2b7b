// SPDX-License-Identifier: Apache-2.0

// Thread block and shared memory of the two-step kernel for populations (pair_kernel.cu).
#pragma once

#include <cstdint>

#include "solver/backend/backend.hpp"
#include "solver/backend/pass_plan.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm::cuda {

// A list of directions. Packed, since device code cannot index constant arrays: compile-time
// constants in unrolled loops.
template <int... qs>
struct DirectionList {
  static constexpr int count = sizeof...(qs);
  // The directions, five bits each; the index of each q, three bits each.
  static constexpr std::uint64_t directions = [] {
    std::uint64_t word = 0;
    int bits = 0;
    ((word |= std::uint64_t{qs} << bits, bits += 5), ...);
    return word;
  }();
  static constexpr std::uint64_t indices = [] {
    std::uint64_t word = 0, i = 0;
    ((word |= i++ << (3 * qs)), ...);
    return word;
  }();

  LBM_HD static constexpr int at(int i) { return static_cast<int>(directions >> (5 * i) & 31U); }
  LBM_HD static constexpr int index(int q) { return static_cast<int>(indices >> (3 * q) & 7U); }
};

// The 16 directions that leave the column (x, y), by c_z.
struct Moving {
  using Level = DirectionList<1, 2, 3, 4, 7, 8, 13, 14>;
  using Rising = DirectionList<9, 11, 16, 18>;
  using Sinking = DirectionList<10, 12, 15, 17>;

  // Index of q in its group.
  LBM_HD static constexpr int place(int q) {
    constexpr std::uint64_t all = Level::indices | Rising::indices | Sinking::indices;
    return static_cast<int>(all >> (3 * q) & 7U);
  }
};

// The tile of a block. The slower tiles at closed faces of x and y come first: later they would
// fall behind their neighbours, and the cells that both read would have left the L2 cache. across,
// down: tiles along x and y. closed: FaceBit.
LBM_HD int tile_of_block(int block, int across, int down, unsigned closed) {
  const int columns = (closed & x_min) != 0 && across > 2 ? 2 : 0;  // at the faces
  const int rows = (closed & y_min) != 0 && down > 2 ? 2 : 0;
  if (block < columns * down) return block % down * across + block / down * (across - 1);
  block -= columns * down;
  const int left = columns / 2, width = across - columns;
  if (block < rows * width) return block / width * (down - 1) * across + left + block % width;
  block -= rows * width;
  return (rows / 2 + block / width) * across + left + block % width;
}

// A block has one thread for each cell of its tile and of the ring of cells around it: first the
// tile.ny + 2 rows of tile.nx cells, then the columns left and right of these rows.
template <class Storage>
struct PassShape {
  using Value = typename Storage::Value;
  static constexpr int size = sizeof(Value);
  static constexpr TileSize tile = pass_tile(Representation::populations);
  static constexpr int rows = tile.ny + 2;
  static constexpr int row_threads = tile.nx * rows;
  static constexpr int threads = row_threads + (2 * rows + 31) / 32 * 32;
  static constexpr int warps = threads / 32;
  static_assert(warps >= Storage::Set::directions, "a warp copies the input of one direction");

  // Input: the populations that the first step pulls, with double buffering. A direction has `rows`
  // rows of the tile's columns, then the 16 bytes left of each row, then the 16 bytes right of
  // each. So most copies are whole lines of 128 bytes. Rows in one piece with their ends began in
  // the middle of a line and cost 1.5 times the requests (docs/passes.md, "What was tried").
  static constexpr int chunk = 16 / size;  // values
  static constexpr int row_chunks = tile.nx / chunk;
  static constexpr int left = rows * tile.nx * size, right = left + rows * 16;  // bytes
  static constexpr int direction_bytes = right + rows * 16;
  static constexpr int input_bytes = (Storage::Set::directions * direction_bytes + 127) / 128 * 128;
  static constexpr int chunks = (row_chunks + 2) * rows;
  static constexpr int chunks_per_lane = (chunks + 31) / 32;

  // Level s + 1, between the steps: the directions that leave the column, in rings of planes. Each
  // plane is gathered into registers at once, so two planes suffice. Walls read the rising
  // directions of the plane below once more.
  static constexpr int stride = tile.nx + 2;
  static constexpr int cells = stride * rows;
  static constexpr int direction_cells = cells * size;  // bytes
  static constexpr int level_planes = 2, rising_planes = 3, sinking_planes = 2;
  static constexpr int level_bytes = Moving::Level::count * direction_cells;
  static constexpr int rising_bytes = Moving::Rising::count * direction_cells;
  static constexpr int sinking_bytes = Moving::Sinking::count * direction_cells;
  static constexpr int level_begin = 2 * input_bytes;
  static constexpr int rising_begin = level_begin + level_planes * level_bytes;
  static constexpr int sinking_begin = rising_begin + rising_planes * rising_bytes;

  // Populations that cells at closed faces of x and y pull from themselves: 4 bytes for each of six
  // links of a thread, with double buffering.
  static constexpr int side_links = 6;
  static constexpr int side_bytes = side_links * threads * 4;
  static constexpr int side_begin = sinking_begin + sinking_planes * sinking_bytes;
  static constexpr int roles_begin = side_begin + 2 * side_bytes;

  static constexpr int shared_bytes = roles_begin + max_planes_per_launch + 2;
};

}  // namespace lbm::cuda
