// SPDX-License-Identifier: Apache-2.0

// Thread block and shared memory of the two-step kernel for moments (moment_pair_kernel.cu), and
// what it keeps there for collisions that filter the stress.
#pragma once

#include "solver/backend/backend.hpp"
#include "solver/backend/pass_plan.hpp"
#include "solver/boundary/conditions/wall_shift.hpp"
#include "solver/collision/regularised.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm::cuda {

// A thread has a *pair*: two neighbours in x, the first at an even place of the tile. A row of a
// tile has 32 pairs, and one more at each end that belong to the tiles beside it.
inline constexpr int pairs_per_row = 34;

// The populations of one plane that leave their pair, in shared memory. `rows` rows of pairs gather
// them; with the rows below and above, rows + 2 publish.
//   wide: c_x = 0, q = 3, 4, 11, 12, 17, 18 of both cells of a pair together, 6 arrays of float2
//   diagonals: c_z = 0, q = 7, 8, 13, 14, 4 arrays for left cells and 4 for right ones
//   along x: c_y = 0, q = 1, 9, 15 of right cells and q = 2, 10, 16 of left cells, 6 arrays
// An array holds the rows that its direction is read from: without the last row for c_y > 0,
// without the first row for c_y < 0, only the rows that gather for c_y = 0.
template <int rows_>
struct ExchangeShape {
  static constexpr int rows = rows_;
  static constexpr int slots = (rows + 1) * pairs_per_row, x_slots = rows * pairs_per_row;
  static constexpr int diagonals = 6 * slots * 8;  // bytes
  static constexpr int along_x = diagonals + 8 * slots * 4;
  // The last pair reads one place beyond the end; its result is never used.
  static constexpr int bytes = along_x + 6 * x_slots * 4 + 8;
};

// filtered: with the filter of the stress, which needs the stress of the level before.
template <class Storage, bool filtered>
struct MomentPassShape {
  using Value = typename Storage::Value;
  static constexpr int size = sizeof(Value);
  static constexpr TileSize tile = pass_tile(Representation::moments);
  // Rows of the tile, and two below and two above it. Each has a warp; the pairs at both ends of
  // all rows share one warp more.
  static constexpr int rows = tile.ny + 4;
  static constexpr int warps = rows + (2 * rows + 31) / 32, threads = 32 * warps;
  static_assert(tile.nx == 64 && rows == 15 && warps == 16);  // RowsOfWarps

  // Populations that the first step publishes, and those of the second step.
  using First = ExchangeShape<tile.ny + 2>;
  using Second = ExchangeShape<tile.ny>;

  // Input: planes of level s in shared memory, copied ahead. With the filter there is one plane:
  // its copy begins when the plane before has been used. A row has the moments of 64 cells. A pair
  // at an end of the rows has the 16-byte piece that contains the pair.
  static constexpr int planes_ahead = filtered ? 1 : 2;
  static constexpr int moment_bytes = tile.nx * size;
  static constexpr int row_bytes = ten_moments::count * moment_bytes;
  static constexpr int side_moment_bytes = 32 * 16;
  static constexpr int side_bytes = ten_moments::count * side_moment_bytes;
  static constexpr int input_bytes = rows * row_bytes + side_bytes;

  static constexpr int second_begin = First::bytes;
  static constexpr int input_begin = (second_begin + Second::bytes + 127) / 128 * 128;
  // Values of a thread that wait for the next plane: PairPlace::sent (both steps) and kept.
  static constexpr int sent_begin = input_begin + planes_ahead * input_bytes;
  static constexpr int sent_bytes = 3 * threads * 4;
  static constexpr int kept_begin = sent_begin + 2 * sent_bytes;
  // Stress before the step (KeptStress): 6 values of both cells for each pair that gathers. The
  // second step holds two planes: a plane is written before the plane below it is read.
  static constexpr int first_stress_begin = kept_begin + 3 * threads * 8;
  static constexpr int first_pairs = filtered ? First::rows * pairs_per_row : 0;
  static constexpr int second_stress_begin = first_stress_begin + 6 * first_pairs * 8;
  static constexpr int second_pairs = filtered ? tile.ny * pairs_per_row - 2 : 0;
  // Shifts of the walls at both ends of a row of the tile (WallShift): of level s, and of two
  // planes of the level between.
  static constexpr int shift_bytes = filtered ? 2 * rows * 8 : 0;
  static constexpr int first_shift_begin = second_stress_begin + 2 * 6 * second_pairs * 8;
  static constexpr int second_shift_begin = first_shift_begin + shift_bytes;
  static constexpr int roles_begin = second_shift_begin + 2 * shift_bytes;
  static constexpr int shared_bytes = roles_begin + max_planes_per_launch + 8;
  static_assert(shared_bytes <= 227 * 1024);
};

// The row of each warp, from two rows below the tile on; 15: the pairs at the ends of all rows.
// Warp w runs on scheduler w % 4 of the multiprocessor. Relative instructions of a plane: 3.3 in
// rows of the tile, 2.1 beside it, 0.6 in the outermost rows, 2.2 for the ends. So the schedulers
// get 12, 10.5, 10.5 and 10.9.
struct RowsOfWarps {
  std::uint8_t row[16] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 13, 0, 14, 1};
};

}  // namespace lbm::cuda

#if defined(__CUDACC__)

namespace lbm::cuda {

// Data of moment_pair_kernel.cu for collisions that filter the stress
// (solver/collision/regularised.hpp): the stress before a step, and the shift of walls of x. Both
// wait in shared memory until the plane above has been published.
//
// The stress of one pair; empty without the filter. Shared memory: six arrays [pairs] of float2
// (left cell, right cell), in the order xx, yy, zz, xy, xz, yz. place: the pair in the first array.
template <class Collision, int pairs>
class KeptStress {
  static constexpr bool filtered = FiltersStress<Collision>;

 public:
  __device__ explicit KeptStress(float2* place) : place_(place) {}

  // m: moments of both cells, as stored.
  __device__ __forceinline__ void keep(const float (&m)[2][ten_moments::count]) const {
    if constexpr (filtered) {
      Stress<float> n[2];
      LBM_UNROLL
      for (int c = 0; c < 2; ++c) {
        n[c] = Collision::template old_stress<float>([&](int i) { return m[c][i]; });
      }
      place_[0] = {n[0].xx, n[1].xx};
      place_[pairs] = {n[0].yy, n[1].yy};
      place_[2 * pairs] = {n[0].zz, n[1].zz};
      place_[3 * pairs] = {n[0].xy, n[1].xy};
      place_[4 * pairs] = {n[0].xz, n[1].xz};
      place_[5 * pairs] = {n[0].yz, n[1].yz};
    }
  }
  // Stress of the left cell (c = 0) or of the right cell (c = 1).
  __device__ __forceinline__ Stress<float> operator[](int c) const {
    if constexpr (filtered) {
      const float* const n = &place_->x + c;
      return {n[0], n[2 * pairs], n[4 * pairs], n[6 * pairs], n[8 * pairs], n[10 * pairs]};
    } else {
      return {};
    }
  }

 private:
  float2* place_;
};

// The shift of the wall at an end of a row (wall_shift.hpp), for the pair that touches this wall.
template <class Storage, class Params>
class WallShift {
 public:
  // walls: FaceBit of the shifted walls. sides: closed faces of x and y that the left cell touches;
  // the right cell's 4 bits further up. at: [low wall, high wall] of the row, in shared memory.
  __device__ WallShift(const Params& params, unsigned walls, unsigned sides, float2* at)
      : params_(params),
        sides_(sides),
        low_((sides & walls & x_min) != 0),
        high_((sides >> 4 & walls & x_max) != 0),
        at_(at + (high_ ? 1 : 0)) {}

  // m: moments of both cells, as stored.
  __device__ void keep(const float (&m)[2][ten_moments::count]) const {
    if (!low_ && !high_) return;
    const int end = high_ ? 1 : 0;
    const CellOfPair cell{params_, m, end};
    *at_ = {shift_of_plain_wall(cell, end, 1), shift_of_plain_wall(cell, end, 2)};
  }
  // at_z: whether the plane of the sums touches a closed face of z.
  __device__ void add(ten_moments::MomentSums<float> (&sums)[2], bool at_z) const {
    if (low_) add_to(sums[0], at_z);
    if (high_) add_to(sums[1], at_z);
  }

 private:
  // The cell at the wall, for shift_of_plain_wall(); its neighbour is the pair's other cell.
  struct CellOfPair {
    using Scalar = float;
    using Real = float;
    using StoragePolicy = Storage;
    const Params& params;
    const float (&m)[2][ten_moments::count];
    int c;

    __device__ Moments<float> moments() const { return of(c); }
    __device__ Moments<float> moments_at(int dx, int, int) const { return of(dx == 0 ? c : 1 - c); }
    __device__ Moments<float> of(int cell) const {
      return params.moments_of(
          Storage::density_momentum([&](int i) { return cell == 0 ? m[0][i] : m[1][i]; }));
    }
  };
  // No shift along an axis whose closed faces the cell touches (wall_shift.hpp).
  __device__ void add_to(ten_moments::MomentSums<float>& sums, bool at_z) const {
    const float2 shift = *at_;
    if ((sides_ & (y_min | y_max)) == 0) add_shift<float>(sums, 0, 1, low_, shift.x);
    if (!at_z) add_shift<float>(sums, 0, 2, low_, shift.y);
  }

  const Params& params_;
  unsigned sides_;
  bool low_, high_;
  float2* at_;
};

}  // namespace lbm::cuda

#endif
