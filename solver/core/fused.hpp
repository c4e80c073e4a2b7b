// Products and sums with a rounding that no compiler may change on a GPU.
//
// Several kernels make the update of a cell, and must give the same bits. Left to itself a compiler
// fuses a product with the sum that it feeds in one kernel, and not in another. So a product that
// feeds a sum is written as multiply_add(), or as multiply() where it shall be rounded by itself.
// Products with powers of two are exact, and need neither. On a CPU each instruction set has one
// kernel of each kind, and its compiler decides.
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

}  // namespace lbm
