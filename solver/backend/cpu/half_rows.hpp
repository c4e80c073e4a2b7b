// Rows of halves to and from floats, with the conversions of the instruction set that the including
// source is compiled for; without any, in the integer arithmetic of lattice/half.hpp. Same bits
// either way for every value but NaN, also where subnormal floats count as zero.
#pragma once

#include <cstdint>

#include "solver/lattice/storage.hpp"
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace lbm::cpu {
namespace {  // one copy per instruction set

// to[i] = Fp16::load_scaled(from[i]) for i < count, a multiple of 16. No alignment asked for.
inline void load_halves(const std::uint16_t* from, float* to, int count) {
#if defined(__AVX512F__)
  // With masks of ones: g++ 12 warns about its own unmasked ones.
  for (int i = 0; i < count; i += 16) {
    const auto half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i));
    _mm512_storeu_ps(to + i, _mm512_maskz_cvtph_ps(0xffff, half));
  }
#elif defined(__F16C__)
  for (int i = 0; i < count; i += 8) {
    const auto half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(half));
  }
#else
  for (int i = 0; i < count; ++i) to[i] = Fp16::load_scaled(from[i]);
#endif
}

// to[i] = Fp16::store_scaled(from[i]), likewise.
inline void store_halves(const float* from, std::uint16_t* to, int count) {
#if defined(__AVX512F__)
  for (int i = 0; i < count; i += 16) {
    const auto half = _mm512_maskz_cvtps_ph(0xffff, _mm512_loadu_ps(from + i), 0);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), half);
  }
#elif defined(__F16C__)
  for (int i = 0; i < count; i += 8) {
    const auto half = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), half);
  }
#else
  for (int i = 0; i < count; ++i) to[i] = Fp16::store_scaled(from[i]);
#endif
}

}  // namespace
}  // namespace lbm::cpu
