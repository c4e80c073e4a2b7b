// SPDX-License-Identifier: Apache-2.0

// Included before the source of each kernel that is compiled for the emulator: what nvcc knows by
// itself. The kernels' namespace lbm::cuda has another name in these sources
// (tests/solver/CMakeLists.txt), so that they can be linked beside those for a GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "tests/solver/backend/emulation/emulator.hpp"

#define __CUDACC__ 1
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__

using std::max;
using std::min;

[[maybe_unused]] static const dim3& blockIdx = emulation::block_index;
[[maybe_unused]] static const dim3& threadIdx = emulation::thread_index;
[[maybe_unused]] static const dim3& blockDim = emulation::block_size;
[[maybe_unused]] static const dim3& gridDim = emulation::grid_size;

struct float2 {
  float x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};

inline void __syncthreads() { emulation::synchronize_block(); }
// The kernels call it in all warps alike.
inline void __syncwarp() { emulation::synchronize_block(); }
inline unsigned __activemask() { return ~0U; }
inline int __any_sync(unsigned, int predicate) {
  std::uint64_t lanes[32];
  const unsigned came = emulation::exchange_in_warp(predicate != 0 ? 1 : 0, lanes);
  int any = 0;
  for (unsigned i = 0; i < 32; ++i) any |= (came >> i & 1U) != 0 ? static_cast<int>(lanes[i]) : 0;
  return any;
}
inline int __reduce_max_sync(unsigned, int value) {
  std::uint64_t lanes[32];
  const unsigned came = emulation::exchange_in_warp(static_cast<std::uint64_t>(value), lanes);
  for (unsigned i = 0; i < 32; ++i) {
    if ((came >> i & 1U) != 0) value = std::max(value, static_cast<int>(lanes[i]));
  }
  return value;
}
template <class Value>
Value __shfl_xor_sync(unsigned, Value value, int step) {
  static_assert(sizeof(Value) == sizeof(std::uint64_t));
  std::uint64_t lanes[32];
  emulation::exchange_in_warp(std::bit_cast<std::uint64_t>(value), lanes);
  return std::bit_cast<Value>(
      lanes[(emulation::thread_index.x % 32) ^ static_cast<unsigned>(step)]);
}

// Dynamic shared memory: kernels declare it `extern` in their own function.
namespace lbm::cuda {
namespace {
[[maybe_unused]] alignas(128) std::byte shared[emulation::most_shared_bytes];

[[maybe_unused]] std::size_t __cvta_generic_to_shared(const void* address) {
  return static_cast<std::size_t>(static_cast<const std::byte*>(address) - shared);
}
[[maybe_unused]] void* __cvta_shared_to_generic(std::size_t address) { return shared + address; }
// Copies at once what a GPU copies in the background.
[[maybe_unused]] void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}
[[maybe_unused]] void __pipeline_commit() {}
[[maybe_unused]] void __pipeline_wait_prior(int) {}
}  // namespace
}  // namespace lbm::cuda
