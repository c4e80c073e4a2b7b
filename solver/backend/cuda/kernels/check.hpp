// SPDX-License-Identifier: Apache-2.0

// CUDA's return codes as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace lbm::cuda {

// Throws std::runtime_error that names the failed call (`what`).
inline void check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(code));
}

}  // namespace lbm::cuda
