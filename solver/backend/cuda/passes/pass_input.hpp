// SPDX-License-Identifier: Apache-2.0

// Input of the two-step kernel for populations (pair_kernel.cu): the cell of a thread, and the
// asynchronous copies of the populations that its first step pulls.
#pragma once

#include "solver/backend/cuda/passes/pass_shape.hpp"
#include "solver/update/update_cell.hpp"

#if defined(__CUDACC__)
#include <cuda_pipeline_primitives.h>

namespace lbm::cuda {

// Returns `value`, hidden from the optimiser: computations from it are not hoisted out of the loop,
// where they would occupy registers of all threads though few threads need them.
template <class T>
__device__ T of_this_iteration(T value) {
  asm volatile("" : "+r"(value));
  return value;
}

// Position of a thread's cell in the rows of the input: the tile and one cell on each side.
template <class Shape>
struct TileRow {
  bool in_rows;     // in a row of threads; else at the left or right end
  int row, column;  // row 0 is below the tile, column 0 is the tile's first one

  // t: threadIdx.x
  explicit __device__ TileRow(int t) : in_rows(t < Shape::row_threads) {
    const int end = min(t - Shape::row_threads, 2 * Shape::rows - 1);
    row = in_rows ? t / Shape::tile.nx : end / 2;
    column = in_rows ? t % Shape::tile.nx : ((end & 1) != 0 ? Shape::tile.nx : -1);
  }
  // Offset in bytes in the input of a direction.
  static __device__ int at(int row, int c) {
    if (c < 0) return Shape::left + ((row + 1) * Shape::chunk + c) * Shape::size;
    if (c >= Shape::tile.nx) {
      return Shape::right + (row * Shape::chunk + c - Shape::tile.nx) * Shape::size;
    }
    return (row * Shape::tile.nx + c) * Shape::size;
  }
};

// The cell of a thread: in the tile or right around it.
template <class Storage>
struct TileCell {
  using Shape = PassShape<Storage>;
  int tile_x, tile_y;  // from the first cell of the tile
  int x, y;            // in the plane, wrapped
  int x0, y0;          // of the tile
  bool live;           // the cell exists
  bool inner;          // ... and belongs to the tile
  unsigned sides;      // closed faces of x and y that it touches
  // The input lacks populations of this cell, so the thread loads them: at the ends of periodic
  // rows that do not end on a 16-byte chunk; in the last row at closed y_max, if beyond the tile.
  bool pulls_itself;
  int staged[3];  // bytes: where the input of a direction has columns x - 1, x and x + 1 of the row

  // t: threadIdx.x
  __device__ TileCell(const PlaneLayout& layout, unsigned closed, int tiles_across, int tile,
                      int t) {
    x0 = tile % tiles_across * Shape::tile.nx;
    y0 = tile / tiles_across * Shape::tile.ny;
    const TileRow<Shape> in(t);
    const bool used = t < Shape::row_threads + 2 * Shape::rows;
    tile_x = in.column;
    tile_y = in.row - 1;
    x = x0 + tile_x;
    y = y0 + tile_y;
    inner = in.in_rows && tile_y >= 0 && tile_y < Shape::tile.ny && x < layout.nx && y < layout.ny;
    const bool periodic_x = (closed & x_min) == 0;
    live = wrap(x, layout.nx, periodic_x);
    live = wrap(y, layout.ny, (closed & y_min) == 0) && live && used;
    pulls_itself =
        live && ((periodic_x && layout.nx % Shape::chunk != 0 && (x == 0 || x == layout.nx - 1)) ||
                 ((closed & y_max) != 0 && tile_y == Shape::tile.ny && y == layout.ny - 1));
    sides = live ? touched_faces(closed, x, y, 1, layout.nx, layout.ny, 3) : 0U;
    for (int i = 0; i < 3; ++i) staged[i] = in.at(in.row, tile_x + i - 1);
  }

 private:
  // Wraps a coordinate that is at most one cell outside; false where no cell is there.
  static __device__ bool wrap(int& i, int n, bool periodic) {
    const bool exists = (i >= 0 && i < n) || (periodic && (i == -1 || i == n));
    i = i < 0 ? n - 1 : (i == n ? 0 : min(i, n - 1));
    return exists;
  }
};

// Begins to copy 16 bytes, as __pipeline_memcpy_async() does, and fetches their line of 128 bytes.
__device__ inline void copy_chunk(unsigned to, const std::byte* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(from)
               : "memory");
#else
  __pipeline_memcpy_async(__cvta_shared_to_generic(to), from, 16);
#endif
}

// Copies the populations that the first step pulls. Warp q copies direction q, for row y from row
// y - c_y. Beyond closed faces it copies arbitrary cells; their values are replaced later.
template <class Storage>
struct InputCopies {
  using Shape = PassShape<Storage>;
  int q;
  unsigned offset[Shape::chunks_per_lane];  // bytes in a plane

  __device__ InputCopies(const PlaneLayout& layout, const TileCell<Storage>& cell)
      : q(static_cast<int>(threadIdx.x) / 32) {
    const int dy = q < Storage::Set::directions ? cy(q) : 0;
    LBM_UNROLL
    for (int i = 0; i < Shape::chunks_per_lane; ++i) {
      const int c = static_cast<int>(threadIdx.x) % 32 + 32 * i;
      const int side = c - Shape::row_chunks * Shape::rows;  // < 0: in the tile
      const int row = side < 0 ? c / Shape::row_chunks : side % Shape::rows;
      int x = side < 0 ? cell.x0 + c % Shape::row_chunks * Shape::chunk
                       : (side < Shape::rows ? cell.x0 - Shape::chunk : cell.x0 + Shape::tile.nx);
      int y = cell.y0 + row - 1 - dy;
      x = x < 0 ? x + layout.nx : (x >= layout.nx ? x - layout.nx : x);
      y = y < 0 ? y + layout.ny : (y >= layout.ny ? y - layout.ny : y);
      // Chunks begin at multiples of 16 bytes, and end in the row.
      x = min(max(x, 0) / Shape::chunk * Shape::chunk, layout.pitch - Shape::chunk);
      y = min(max(y, 0), layout.ny - 1);
      offset[i] = static_cast<unsigned>(layout.index(q, y, x)) * Shape::size;
    }
  }
  // The plane that the direction comes from: 0 below (c_z = 1), 1 the same, 2 above (c_z = -1).
  __device__ int plane() const { return q < Storage::Set::directions ? 1 - cz(q) : 1; }
  __device__ void copy(const std::byte* from, std::byte* input) const {
    if (q >= Storage::Set::directions) return;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(input)) +
                    static_cast<unsigned>(q * Shape::direction_bytes + lane * 16);
    LBM_UNROLL
    for (int i = 0; i < Shape::chunks_per_lane; ++i) {
      const bool exists = i < Shape::chunks_per_lane - 1 || lane + 32 * i < Shape::chunks;
      if (exists) copy_chunk(to + i * 512, from + offset[i]);
    }
  }
};

// Populations that cells at closed faces of x and y pull in the first step. A wall reflects the
// populations that the cell sent towards it. Four of them for a face of x and two for a face of y
// are copied beside the input; the others are in the input. Free slip reads other directions of the
// input.
template <class Storage>
struct SideLinks {
  using Shape = PassShape<Storage>;
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;

  // The outgoing direction of the cell that a wall reflects into link i. Links 0, 1: rising,
  // sinking at a face of x; 2, 3: the same at a face of y; 4, 5: diagonals with c_z = 0 at a face
  // of x that enter with c_y = 1, -1 (the input may lack their rows).
  static __device__ int direction_of(unsigned sides, int i) {
    if (i == 0) return (sides & x_min) != 0 ? 10 : 15;  // enters as (1, 0, 1) or (-1, 0, 1)
    if (i == 1) return (sides & x_min) != 0 ? 16 : 9;
    if (i == 2) return (sides & y_min) != 0 ? 12 : 17;
    if (i == 3) return (sides & y_min) != 0 ? 18 : 11;
    if (i == 4) return (sides & x_min) != 0 ? 8 : 13;  // enters as (1, 1, 0) or (-1, 1, 0)
    return (sides & x_min) != 0 ? 14 : 7;
  }
  static constexpr __device__ int link_of(int q) {
    if (cz(q) == 0) return cy(q) > 0 ? 4 : 5;
    return (cx(q) != 0 ? 0 : 2) + (cz(q) > 0 ? 0 : 1);
  }

  // plane: of the cell. own, pitch: index of the cell's q = 0 in the plane, and from q to q + 1.
  static __device__ void copy(unsigned sides, const std::byte* plane, unsigned own, int pitch,
                              std::byte* side) {
    LBM_UNROLL
    for (int i = 0; i < Shape::side_links; ++i) {
      if ((sides & (i == 2 || i == 3 ? y_min | y_max : x_min | x_max)) == 0) continue;
      const unsigned at =
          (own + static_cast<unsigned>(direction_of(sides, i) * pitch)) * Shape::size;
      __pipeline_memcpy_async(
          __cvta_shared_to_generic(
              static_cast<unsigned>(__cvta_generic_to_shared(side)) +
              static_cast<unsigned>(i * Shape::threads + static_cast<int>(threadIdx.x)) * 4),
          plane + (at & ~3U), 4);
    }
  }

  // Replaces the populations in g whose links cross the closed faces `sides` of x and y.
  template <class Params>
  static __device__ void pull(const Params& params, unsigned sides, int x, const std::byte* input,
                              const std::byte* side, Real (&g)[Storage::Set::directions]) {
    const int t = of_this_iteration(static_cast<int>(threadIdx.x));
    const TileRow<Shape> cell(t);
    const unsigned slip = params.free_slip_faces();
    LBM_UNROLL
    for (int q = 1; q < Storage::Set::directions; ++q) {
      if ((entered_faces(q) & ~(z_min | z_max)) == 0) continue;
      const unsigned crossed = sides & entered_faces(q);
      if (crossed == 0) continue;
      const unsigned walls = crossed & ~slip;
      const auto staged = [&](int direction, int row, int column) {
        return Storage::load_scaled(
            *reinterpret_cast<const Value*>(input + direction * Shape::direction_bytes +
                                            cell.at(cell.row + row, cell.column + column)));
      };
      if (walls == 0) {
        const LinkSource from = mirrored_source(direction(q), crossed);
        g[q] = staged(from.q, from.d[1] + cy(from.q), from.d[0]);
      } else if (cz(q) == 0 && (cy(q) == 0 || (walls & (x_min | x_max)) == 0)) {
        const int back = opposite(q);
        g[q] = staged(back, cy(back), 0) + params.walls.term[q][wall_set(q, crossed)];
      } else {
        const std::byte* word = side + (link_of(q) * Shape::threads + t) * 4;
        g[q] = Storage::load_scaled(
                   *reinterpret_cast<const Value*>(word + (Shape::size == 2 ? (x & 1) * 2 : 0))) +
               params.walls.term[q][wall_set(q, crossed)];
      }
    }
  }
};

}  // namespace lbm::cuda

#endif
