// Launches of the CUDA kernels. One thread per cell.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/backend/backend.hpp"

namespace lbm::cuda {

void launch_update(const DeviceLattice& device, const UpdateLaunch& launch, cudaStream_t stream);
void launch_moments(const DeviceLattice& device, int slot, float* density, float* velocity,
                    cudaStream_t stream);
void launch_count_nonfinite(const DeviceLattice& device, int slot, std::uint32_t* count,
                            cudaStream_t stream);

}  // namespace lbm::cuda
