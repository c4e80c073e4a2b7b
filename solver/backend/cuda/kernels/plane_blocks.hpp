// SPDX-License-Identifier: Apache-2.0

// The blocks of a kernel that does a few cells of each plane of a launch, a different number in
// each: a grid of one dimension without idle blocks. (A grid of planes times the most blocks of any
// plane took longer to start than to do its work, where a plane at a face of z has a million cells
// and the others a thousand.)
#pragma once

#include <array>
#include <cstdint>

#include "solver/backend/backend.hpp"
#include "solver/core/host_device.hpp"

namespace lbm::cuda {

struct PlaneBlocks {
  // Plane i of the launch has the blocks first[i] ... first[i + 1] - 1; those beyond the launch
  // none.
  std::array<std::uint32_t, max_planes_per_launch + 1> first{};

  std::uint32_t count() const { return first[max_planes_per_launch]; }
  // The plane of a block, a power of two at a time.
  LBM_HD int plane_of(std::uint32_t block) const {
    static_assert((max_planes_per_launch & (max_planes_per_launch - 1)) == 0);
    const std::uint32_t* const begin = &first[0];
    int plane = 0;
    LBM_UNROLL
    for (int step = max_planes_per_launch / 2; step > 0; step /= 2) {
      if (begin[plane + step] <= block) plane += step;
    }
    return plane;
  }
};

// cells(i, z): how many cells of plane i of the launch, which is plane z of the grid, are done, a
// thread each.
template <class Cells>
PlaneBlocks make_plane_blocks(const UpdateLaunch& launch, int nz, unsigned threads,
                              const Cells& cells) {
  PlaneBlocks blocks;
  for (int i = 0; i < max_planes_per_launch; ++i) {
    const auto n =
        i < launch.count ? static_cast<std::uint32_t>(cells(i, (launch.first_plane + i) % nz)) : 0U;
    blocks.first[i + 1] = blocks.first[i] + (n + threads - 1) / threads;
  }
  return blocks;
}

}  // namespace lbm::cuda
