// SPDX-License-Identifier: Apache-2.0

// Data of moment_pair_kernel.cu for collisions that filter the stress
// (solver/collision/stress_filter.hpp): the stress before a step, and the shift of walls of x. Both
// wait in shared memory until the plane above has been published.
#pragma once

#include "solver/backend/cuda/passes/moment_pass_shape.hpp"
#include "solver/boundary/conditions/shifted_walls.hpp"
#include "solver/collision/stress_filter.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

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
