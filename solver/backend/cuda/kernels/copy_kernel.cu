// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "solver/backend/cuda/kernels/launches.hpp"

namespace lbm::cuda {
namespace {

// 16 x 512 threads with 4 loads of 16 bytes each keep 512 KiB under way: about what a link of
// 450 GB/s needs at a latency of a microsecond, and an eighth of the multiprocessors of a H100.
constexpr unsigned threads = 512, most_blocks = 16;
constexpr int loads = 4;

__global__ void __launch_bounds__(threads)
    copy_kernel(uint4* to, const uint4* from, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * threads * loads;
  for (std::size_t first = std::size_t{blockIdx.x} * threads * loads + threadIdx.x; first < count;
       first += step) {
    uint4 values[loads];
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      if (first + i * threads < count) values[i] = from[first + i * threads];
    }
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      if (first + i * threads < count) to[first + i * threads] = values[i];
    }
  }
}

}  // namespace

void launch_copy(std::byte* to, const std::byte* from, std::size_t bytes, cudaStream_t stream) {
  const auto bits = reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
  if ((bits | bytes) % sizeof(uint4) != 0) throw std::logic_error("copy kernel: not aligned to 16");
  if (bytes == 0) return;
  const std::size_t count = bytes / sizeof(uint4);
  const std::size_t tiles = (count + threads * loads - 1) / (threads * loads);
  const auto blocks = static_cast<unsigned>(std::min<std::size_t>(tiles, most_blocks));
  copy_kernel<<<blocks, threads, 0, stream>>>(reinterpret_cast<uint4*>(to),
                                              reinterpret_cast<const uint4*>(from), count);
  check(cudaGetLastError(), "copy kernel");
}

}  // namespace lbm::cuda
