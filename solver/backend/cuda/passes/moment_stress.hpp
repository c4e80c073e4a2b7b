// A part of the two-step kernel for moments (moment_pair_kernel.cu): the stress before a step, for
// collisions that filter it (solver/collision/stress_filter.hpp). It waits in shared memory until
// the plane above has been published.
#pragma once

#include "solver/backend/cuda/passes/moment_pass_shape.hpp"
#include "solver/collision/stress_filter.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

// Of one pair; nothing for other collisions. pairs: those that have a place.
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
  // Of the left cell (0) or the right one.
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

}  // namespace lbm::cuda

#endif
