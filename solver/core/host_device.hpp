// SPDX-License-Identifier: Apache-2.0

// Functions compiled for the host and, by nvcc, for the GPU as well, with the same bits.
#pragma once

#include <type_traits>

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

// Index of the lowest bit that is set; bits != 0. (nvcc 13.0 compiles the functions of <bit>
// without a warning to wrong code: std::countr_zero gives 32.)
LBM_HD int lowest_bit(unsigned bits) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(bits)) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

// Products and sums with a rounding that no compiler may change on a GPU.
//
// Several kernels make the update of a cell, and must give the same bits. Left to itself a compiler
// fuses a product with the sum that it feeds in one kernel, and not in another. So a product that
// feeds a sum is written as multiply_add(), or as multiply() where it shall be rounded by itself.
// Products with powers of two are exact, and need neither. On a CPU none is fused
// (-ffp-contract=off), so that there, too, all kernels give a cell the same bits.
//
// a * b + c, rounded once. Numbers, or on a CPU vectors of cells.
template <class A, class B, class C>
LBM_HD auto multiply_add(const A& a, const B& b, const C& c) {
#if defined(__CUDA_ARCH__)
  using T = std::common_type_t<A, B, C>;
  if constexpr (std::is_same_v<T, float>) {
    return __fmaf_rn(a, b, c);
  } else {
    return __fma_rn(a, b, c);
  }
#else
  return a * b + c;
#endif
}

// a * b, rounded.
template <class A, class B>
LBM_HD auto multiply(const A& a, const B& b) {
#if defined(__CUDA_ARCH__)
  using T = std::common_type_t<A, B>;
  if constexpr (std::is_same_v<T, float>) {
    return __fmul_rn(a, b);
  } else {
    return __dmul_rn(a, b);
  }
#else
  return a * b;
#endif
}

// 1 / x, rounded to nearest. x and 1 / x must be normal numbers. Real: of a number; T: a number or
// a vector of them. On a GPU one step of Newton's method makes the nearest float of the hardware's
// approximation, for every mantissa (tests/solver/core/test_reciprocal.cu); a division costs three
// times as many instructions.
template <class Real, class T>
LBM_HD T reciprocal(const T& x) {
#if defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) {
    float estimate;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(x));
    return __fmaf_rn(estimate, __fmaf_rn(-x, estimate, 1.0F), estimate);
  } else {
    return Real(1) / x;
  }
#else
  return Real(1) / x;
#endif
}

}  // namespace lbm
