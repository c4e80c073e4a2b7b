// SPDX-License-Identifier: Apache-2.0

// reciprocal() on a GPU is the nearest float, as the division of a CPU is: the same for every
// mantissa, as the approximation of the hardware and Newton's step scale with the exponent.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "solver/backend/backend.hpp"
#include "solver/core/host_device.hpp"

namespace lbm {
namespace {

constexpr unsigned mantissas = 1U << 23;

// Counts mantissas whose reciprocal is not the rounded one, for numbers of one exponent.
__global__ void compare(unsigned exponent, unsigned long long* wrong) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = __uint_as_float(exponent << 23 | i);
  if (reciprocal<float>(x) != __frcp_rn(x)) atomicAdd(wrong, 1ULL);
}

TEST(Reciprocal, OnACudaDeviceIsRoundedToNearest_cuda) {
  if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  unsigned long long* wrong = nullptr;
  ASSERT_EQ(cudaMallocManaged(&wrong, sizeof(*wrong)), cudaSuccess);
  *wrong = 0;
  for (const unsigned exponent : {125U, 126U, 127U, 128U, 141U, 142U, 143U, 145U}) {
    compare<<<mantissas / 256, 256>>>(exponent, wrong);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(*wrong, 0U) << "exponent " << exponent;
  }
  cudaFree(wrong);
}

}  // namespace
}  // namespace lbm
