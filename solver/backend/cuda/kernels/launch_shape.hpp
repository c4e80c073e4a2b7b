// SPDX-License-Identifier: Apache-2.0

// Arguments and launch configuration of the kernels of the lattice.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>

#include "solver/backend/backend.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm::cuda {

inline constexpr unsigned threads_per_block = 256;

#if defined(__CUDACC__)
// Programmatic dependent launch (compute capability 9.0 and newer): blocks of this launch may start
// while the last ones of the launch before still run, and wait here for its results.
__device__ inline void wait_for_launch_before() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}
#endif

// Everything one launch needs, passed in constant memory.
template <class Storage, class Collision, bool free_slip = true>
struct UpdateArguments {
  UpdateParams<Storage, Collision, free_slip> params;
  UpdateLaunch launch;
  std::byte* slots;

  LBM_HD typename Storage::Value* slot(int index) const {
    return reinterpret_cast<typename Storage::Value*>(slots + index * params.layout.bytes);
  }
  LBM_HD InputPlanes<Storage> input(int plane) const {
    return {{slot(launch.in[plane]), slot(launch.in[plane + 1]), slot(launch.in[plane + 2])}};
  }
  LBM_HD int z_of(int plane) const { return launch.z_of(plane, params.nz); }
};

template <class Storage, class Collision, bool free_slip = true>
UpdateArguments<Storage, Collision, free_slip> make_arguments(const DeviceLattice& device,
                                                              const UpdateLaunch& launch) {
  return {make_update_params<Storage, Collision, free_slip>(device.lattice, device.boundaries,
                                                            device.host, launch.step),
          launch, device.slots};
}

// Blocks of `threads` threads: as wide as a row of `columns` threads, in whole warps.
inline dim3 block_of(unsigned columns, unsigned threads = threads_per_block) {
  const unsigned width = std::min(threads, (columns + 31) / 32 * 32);
  return {width, threads / width, 1};
}

inline dim3 grid_of(unsigned columns, const PlaneLayout& layout, const dim3& block, int planes) {
  return {(columns + block.x - 1) / block.x, (layout.ny + block.y - 1) / block.y,
          static_cast<unsigned>(planes)};
}

// A configuration and the attribute it points to. overlap: see launch_update().
class LaunchShape {
 public:
  LaunchShape(const dim3& grid, const dim3& block, bool overlap, cudaStream_t stream,
              std::size_t shared_bytes = 0) {
    attribute_.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute_.val.programmaticStreamSerializationAllowed = 1;
    config_.gridDim = grid;
    config_.blockDim = block;
    config_.stream = stream;
    config_.dynamicSmemBytes = shared_bytes;
    config_.attrs = &attribute_;
    config_.numAttrs = overlap ? 1 : 0;
  }
  LaunchShape(const LaunchShape&) = delete;
  LaunchShape& operator=(const LaunchShape&) = delete;
  const cudaLaunchConfig_t* config() const { return &config_; }

 private:
  cudaLaunchAttribute attribute_{};
  cudaLaunchConfig_t config_{};
};

}  // namespace lbm::cuda
