// SPDX-License-Identifier: Apache-2.0

// Sums of the forces on bodies over the threads of a warp.
#pragma once

#include "solver/boundary/conditions/interpolated_bounce_back.hpp"

#if defined(__CUDACC__)

namespace lbm::cuda {

// Adds the load of each thread of a warp to the values of the bodies; all threads call it. They
// mostly have the same body: one thread adds for all.
__device__ inline void add_load(BodyLoad load, std::int64_t* bodies) {
  constexpr unsigned all = 0xffffffffU;
  const int first = __reduce_max_sync(all, load.body);
  if (first < 0) return;
  if (load.body != first) {
    load.add_to(bodies);
    load.clear(-1);
  }
  for (int v = 0; v < 6; ++v) {
    auto value = static_cast<long long>(load.value[v]);
    for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(all, value, step);
    if (threadIdx.x % 32 == 0 && value != 0) add_shared(bodies + 6 * first + v, value);
  }
}

}  // namespace lbm::cuda

#endif
