// SPDX-License-Identifier: Apache-2.0

// Kernels with a thread for each fluid cell, where only these are stored.
#pragma once

#include "solver/backend/cuda/kernels/launch_shape.hpp"
#include "solver/update/fluid_cells.hpp"

namespace lbm::cuda {

inline constexpr unsigned fluid_threads = 128;

inline PlaneBlocks make_fluid_blocks(const DeviceLattice& device, const UpdateLaunch& launch) {
  const auto& fluid_cells = device.host->fluid_cells();
  return make_plane_blocks(launch, device.lattice.nz, fluid_threads,
                           [&](int, int z) { return fluid_cells[static_cast<std::size_t>(z)]; });
}

#if defined(__CUDACC__)
// The number of the thread's cell in its plane; beyond the last one in the last block.
__device__ inline int fluid_number(const PlaneBlocks& blocks, int plane) {
  return static_cast<int>((blockIdx.x - blocks.first[plane]) * fluid_threads + threadIdx.x);
}

// Fluid cell `number` of a plane: the last word with no more fluid cells before it, and the bit of
// that word. The threads of a warp search the few words that their 32 cells lie in.
__device__ inline Place find_cell(const FluidPlane& plane, int number) {
  int low = static_cast<int>(plane.starts[number / 32]);
  int high = static_cast<int>(plane.starts[number / 32 + 1]);
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (plane.words[middle].first() <= number) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const FluidWord word = plane.words[low];
  int left = number - word.first(), bit = 0;
  std::uint32_t fluid = word.fluid;
  LBM_UNROLL
  for (int step = 16; step > 0; step /= 2) {
    const int lower = count_bits(fluid & ((1U << step) - 1));
    if (left < lower) continue;
    left -= lower;
    fluid >>= step;
    bit += step;
  }
  const int y = low / plane.words_per_row;
  return {(low - y * plane.words_per_row) * 32 + bit, y};
}
#endif

}  // namespace lbm::cuda
