// SPDX-License-Identifier: Apache-2.0

// Products and sums with a rounding that no compiler may change on a GPU.
//
// Several kernels make the update of a cell, and must give the same bits. Left to itself a compiler
// fuses a product with the sum that it feeds in one kernel, and not in another. So a product that
// feeds a sum is written as multiply_add(), or as multiply() where it shall be rounded by itself.
// Products with powers of two are exact, and need neither. On a CPU none is fused
// (-ffp-contract=off), so that there, too, all kernels give a cell the same bits.
#pragma once

#include <type_traits>

#include "solver/core/host_device.hpp"

namespace lbm {

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
// approximation, for every mantissa (tests/solver/core/test_reciprocal.cpp); a division costs three
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
