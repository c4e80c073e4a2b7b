// SPDX-License-Identifier: Apache-2.0

// New device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace lbm::cuda {

// Sets all bits, which is NaN in fp16, fp32 and fp64: a value that is used before it is written
// shows in the results. Kernels also read the padding at the ends of rows, and drop these values;
// nothing else writes padding, so initcheck would report it. Returns when the memory is filled.
inline cudaError_t fill_unwritten(void* device, std::size_t bytes) {
  const cudaError_t begun = cudaMemset(device, 0xff, bytes);
  return begun == cudaSuccess ? cudaStreamSynchronize(nullptr) : begun;
}

}  // namespace lbm::cuda
