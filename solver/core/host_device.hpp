// SPDX-License-Identifier: Apache-2.0

// Marks functions compiled for the host and, by nvcc, for the GPU as well.
#pragma once

#if defined(__CUDACC__)
#define LBM_HD __host__ __device__ __forceinline__
#else
#define LBM_HD inline __attribute__((always_inline))
#endif

// The same for large functions that several others call: on a CPU each is compiled once.
#if defined(__CUDACC__)
#define LBM_HD_LARGE LBM_HD
#else
#define LBM_HD_LARGE __attribute__((noinline))
#endif

// Full unrolling of the short loops over directions, so that their indices become constants.
#if defined(__CUDACC__)
#define LBM_UNROLL _Pragma("unroll")
#else
#define LBM_UNROLL _Pragma("GCC unroll 32")
#endif

// Keeps a loop with a long body one loop: kernels that fill the instruction cache are slower.
#if defined(__CUDACC__)
#define LBM_NO_UNROLL _Pragma("unroll 1")
#else
#define LBM_NO_UNROLL _Pragma("GCC unroll 1")
#endif

namespace lbm {

// Indices of the lowest and the highest bit that is set; bits != 0. (nvcc 13.0 compiles the
// functions of <bit> without a warning to wrong code: std::countr_zero gives 32.)
LBM_HD int lowest_bit(unsigned bits) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}
LBM_HD int highest_bit(unsigned bits) {
#if defined(__CUDA_ARCH__)
  return 31 - __clz(static_cast<int>(bits));
#else
  return 31 - __builtin_clz(bits);
#endif
}

}  // namespace lbm
