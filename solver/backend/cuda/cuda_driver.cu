// SPDX-License-Identifier: Apache-2.0
#include "solver/backend/device_facts.hpp"

#include <cuda_runtime_api.h>

namespace lbm {
namespace {

// Represents all kernels, which are compiled with the same options.
__global__ void any_kernel() {}

}  // namespace

CudaDriver cuda_driver() {
  CudaDriver driver;
  driver.built_in = true;
  driver.toolkit = CUDART_VERSION;
  if (cudaDriverGetVersion(&driver.supported) != cudaSuccess) driver.supported = 0;
  const cudaError_t code = cudaGetDeviceCount(&driver.devices);
  if (code != cudaSuccess) {
    driver.devices = 0;
    driver.error = cudaGetErrorString(code);
  }
  cudaGetLastError();  // clears the error for later calls
  return driver;
}

KernelCode kernel_code(int device) {
  KernelCode code;
  cudaFuncAttributes attributes{};
  cudaError_t result = cudaSetDevice(device);
  if (result == cudaSuccess) result = cudaFuncGetAttributes(&attributes, any_kernel);
  if (result != cudaSuccess) {
    code.error = cudaGetErrorString(result);
    cudaGetLastError();
    return code;
  }
  code.binary = attributes.binaryVersion;
  code.ptx = attributes.ptxVersion;
  return code;
}

bool peer_access(int from, int to) {
  int can = 0;
  const bool asked = cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess;
  if (!asked) cudaGetLastError();
  return asked && can != 0;
}

}  // namespace lbm
