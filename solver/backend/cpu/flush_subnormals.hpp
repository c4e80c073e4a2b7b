// SPDX-License-Identifier: Apache-2.0

// Subnormal floats cost a hundred cycles each on most CPUs, and the quiet fluid ahead of a starting
// flow is full of them.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace lbm::cpu {

// Treats subnormals as zero on the calling thread while it lives.
class FlushSubnormals {
 public:
#if defined(__x86_64__)
  FlushSubnormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040U); }
  ~FlushSubnormals() { _mm_setcsr(saved_); }
#elif defined(__aarch64__)
  FlushSubnormals() {
    __asm__ volatile("mrs %0, fpcr" : "=r"(saved_));
    __asm__ volatile("msr fpcr, %0" : : "r"(saved_ | std::uint64_t{1} << 24));
  }
  ~FlushSubnormals() { __asm__ volatile("msr fpcr, %0" : : "r"(saved_)); }
#endif
  FlushSubnormals(const FlushSubnormals&) = delete;
  FlushSubnormals& operator=(const FlushSubnormals&) = delete;

 private:
#if defined(__x86_64__)
  unsigned saved_;
#elif defined(__aarch64__)
  std::uint64_t saved_;
#endif
};

}  // namespace lbm::cpu
