// SPDX-License-Identifier: Apache-2.0

// Input of the two-step kernel for moments (moment_pair_kernel.cu): the pair of a thread, and the
// asynchronous copies of the moments from which its first step makes populations.
#pragma once

#include "solver/backend/cuda/passes/moment_pass_shape.hpp"
#include "solver/backend/cuda/passes/pass_input.hpp"
#include "solver/update/update_cells.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

// Loads and stores one moment of both cells of a pair: Storage::Value in memory, float outside.
template <class Storage>
struct ValuePair {
  using Value = ValueVector<typename Storage::Value, 2>;
  static __device__ float2 load(const std::byte* from) {
    const Value both = *reinterpret_cast<const Value*>(from);
    return {Storage::load_scaled(both.at[0]), Storage::load_scaled(both.at[1])};
  }
  using Rounding = typename Storage::Rounding;
  static __device__ void store(std::byte* to, float left, float right, const Rounding (&of)[2]) {
    if constexpr (sizeof(typename Storage::Value) == 2) {
      *reinterpret_cast<std::uint32_t*>(to) =
          Storage::store_rounded_pair(left, right, of[0], of[1]);
    } else {
      *reinterpret_cast<Value*>(to) = {
          {Storage::store_rounded(left, of[0]), Storage::store_rounded(right, of[1])}};
    }
  }
};

// Position of a thread's pair, and the tasks of the thread.
template <class Storage, class Shape>
class PairOfCells {
  static constexpr unsigned size = Shape::size;

 public:
  // Flags of the thread, in one register. Bits 0 to 3: closed faces of x and y that the left cell
  // touches; bits 4 to 7: closed faces that the right cell touches.
  enum Flag : unsigned {
    exists = 1U << 8,
    in_rows = 1U << 9,     // not at an end of the rows
    gathers = 1U << 10,    // takes part in the first step
    inner = 1U << 11,      // belongs to the tile
    whole_row = 1U << 12,  // the row is copied in pieces of 16 bytes
    apart = 1U << 13,      // the cells are not neighbours in memory: across the end of an odd row
    warp_touches = 1U << 14,  // some pair of the warp touches a closed face
    first_row = 1U << 15,     // the first or the last row that publishes in the first step,
    last_row = 1U << 16,
    second_first_row = 1U << 17,  // and in the second one
    second_last_row = 1U << 18,
    wraps = 1U << 19,  // where they are apart: the right cell is the first of its row
  };
  __device__ bool is(Flag flag) const { return (flags_ & flag) != 0; }
  __device__ unsigned sides() const { return flags_ & 255U; }
  // Offset in bytes of the pair's first moment in a plane.
  unsigned own;

  // place: set to the pair's index in ExchangeShape; row 0 is the first that publishes in step 1.
  __device__ PairOfCells(const PlaneLayout& layout, unsigned closed, int tiles_across, int tile,
                         int row_of_warp, int& place) {
    const int nx = layout.nx;
    const bool periodic_x = (closed & x_min) == 0;
    // The column that is read for column x; an arbitrary one beyond a wall.
    const auto column_of = [&](int x) {
      if (!periodic_x) return max(0, min(x, (nx - 1) | 1));
      x = wrapped(x, nx);
      return x >= nx ? 0 : x;
    };
    const int lane = static_cast<int>(threadIdx.x) % 32, ny = layout.ny;
    flags_ = row_of_warp < Shape::rows ? in_rows | exists
                                       : (lane < 2 * Shape::rows ? unsigned{exists} : 0U);
    const int row = is(in_rows) ? row_of_warp : (is(exists) ? lane / 2 : 0);
    const int column = is(in_rows) ? lane + 1 : ((lane & 1) != 0 ? pairs_per_row - 1 : 0);
    place = row * pairs_per_row + column;
    const int x0 = tile % tiles_across * Shape::tile.nx;
    const int y = tile / tiles_across * Shape::tile.ny + row - 2;
    const int left = x0 + 2 * column - 2;
    int x = column_of(left), line = y;
    if (!periodic_x) x &= ~1;
    if ((closed & y_min) == 0) {
      line = wrapped(line, ny);
      if (line >= ny) line = 0;
    } else {
      line = max(0, min(line, ny - 1));
    }
    const auto at = [&](int cell) {
      return static_cast<unsigned>(line * static_cast<int>(layout.row) + cell) * size;
    };
    own = at(x);
    if (is(in_rows) && x0 + Shape::tile.nx <= nx) flags_ |= whole_row;
    if (!is(whole_row) && periodic_x && ((x & 1) != 0 || column_of(left + 1) != x + 1)) {
      flags_ |= apart | (x == nx - 1 ? unsigned{wraps} : 0U);
    }
    from_ = is(whole_row) ? at(x0) + lane / chunks * static_cast<unsigned>(layout.pitch) * size +
                                lane % chunks * 16
                          : own;
    if (is(exists)) {
      flags_ |= touched_faces(closed, left, y, 1, nx, ny, 3) |
                touched_faces(closed, left + 1, y, 1, nx, ny, 3) << 4;
      if (row >= 1 && row < Shape::rows - 1) flags_ |= gathers;
    }
    const bool in_tile = row >= 2 && row < Shape::rows - 2;
    if (is(in_rows) && in_tile && y < ny && left < nx) flags_ |= inner;
    if (__any_sync(~0U, sides() != 0) != 0) flags_ |= warp_touches;
    if (row == 0) flags_ |= first_row;
    if (row == 1) flags_ |= second_first_row;
    if (row == Shape::rows - 2) flags_ |= second_last_row;
    if (row == Shape::rows - 1) flags_ |= last_row;
    // A pair at an end of the rows lies inside a copied piece of 16 bytes.
    mine_ = is(in_rows)
                ? row_of_warp * Shape::row_bytes + lane * 2 * static_cast<int>(size)
                : Shape::rows * Shape::row_bytes + lane * 16 + static_cast<int>(own_in_chunk());
  }

  // Starts to copy a plane's moments into `input`; __pipeline_wait_prior() ends it. pitch: in
  // bytes.
  __device__ void copy(const std::byte* plane, std::byte* input, unsigned pitch, int nx) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::byte* source = plane + of_this_iteration(from_);
    if (is(whole_row)) {
      const unsigned to = address(input + mine_) + lane * (16 - 2 * size);
      LBM_UNROLL
      for (int i = 0; i < ten_moments::count; i += moments_at_once) {
        const bool all = i + moments_at_once <= ten_moments::count;
        if (all || lane / chunks < ten_moments::count - i) {
          copy_chunk(to + i * Shape::moment_bytes, source + i * pitch);
        }
      }
    } else if (is(apart)) {
      using Value = typename Storage::Value;
      const int distance = is(wraps) ? 1 - nx : 1;
      LBM_UNROLL
      for (int i = 0; i < ten_moments::count; ++i) {
        const auto* left = reinterpret_cast<const Value*>(source + i * pitch);
        auto* to = reinterpret_cast<Value*>(input + mine(i));
        to[0] = left[0];
        to[1] = left[distance];
      }
    } else if (!is(in_rows)) {
      source -= own_in_chunk();
      const unsigned to = address(input + mine_) - own_in_chunk();
      LBM_UNROLL
      for (int i = 0; i < ten_moments::count; ++i) {
        copy_chunk(to + i * Shape::side_moment_bytes, source + i * pitch);
      }
    } else {
      const unsigned to = address(input + mine_);
      LBM_UNROLL
      for (int i = 0; i < ten_moments::count; ++i) {
        __pipeline_memcpy_async(__cvta_shared_to_generic(to + i * Shape::moment_bytes),
                                source + i * pitch, 2 * size);
      }
    }
  }
  // Loads the pair's moments from `input`, to which copy() has copied them.
  __device__ __forceinline__ void take(const std::byte* input,
                                       float (&m)[2][ten_moments::count]) const {
    if (is(in_rows)) {
      take_from<Shape::moment_bytes>(input + mine_, m);
    } else {
      take_from<Shape::side_moment_bytes>(input + mine_, m);
    }
  }
  // Loads the pair's moments from a plane.
  __device__ void read(const std::byte* plane, unsigned pitch, int nx,
                       float (&m)[2][ten_moments::count]) const {
    using Value = typename Storage::Value;
    const int distance = is(wraps) ? 1 - nx : 1;
    LBM_UNROLL
    for (int i = 0; i < ten_moments::count; ++i) {
      const auto* left = reinterpret_cast<const Value*>(plane + own + i * pitch);
      m[0][i] = Storage::load_scaled(left[0]);
      m[1][i] = Storage::load_scaled(left[distance]);
    }
  }
  // Stores the pair's moments in a plane. key: of Storage::rounding().
  __device__ void write(std::byte* plane, unsigned pitch, const float (&m)[2][ten_moments::count],
                        std::uint32_t key) const {
    std::byte* to = plane + own;
    const typename Storage::Rounding rounding[2] = {Storage::rounding(key, m[0][0]),
                                                    Storage::rounding(key, m[1][0])};
    LBM_UNROLL
    for (int i = 0; i < ten_moments::count; ++i, to += pitch) {
      ValuePair<Storage>::store(to, m[0][i], m[1][i], rounding);
    }
  }

 private:
  // 16-byte pieces of a moment's row, and moments whose rows a warp copies at once.
  static constexpr int chunks = Shape::moment_bytes / 16, moments_at_once = 32 / chunks;

  static __device__ int wrapped(int i, int n) { return i < 0 ? i + n : (i >= n ? i - n : i); }
  static __device__ unsigned address(const std::byte* shared) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
  }
  __device__ unsigned own_in_chunk() const { return is(apart) ? 0U : of_this_iteration(own) % 16; }
  __device__ int mine(int i) const {
    return mine_ + i * (is(in_rows) ? Shape::moment_bytes : Shape::side_moment_bytes);
  }
  template <int stride>
  static __device__ __forceinline__ void take_from(const std::byte* at,
                                                   float (&m)[2][ten_moments::count]) {
    LBM_UNROLL
    for (int i = 0; i < ten_moments::count; ++i) {
      const float2 both = ValuePair<Storage>::load(at + i * stride);
      m[0][i] = both.x;
      m[1][i] = both.y;
    }
  }

  unsigned flags_;
  // Bytes: where the copies of the thread begin in a plane, and where the pair is in the input.
  unsigned from_;
  int mine_;
};

}  // namespace lbm::cuda

#endif
