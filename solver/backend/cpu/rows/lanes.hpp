// SPDX-License-Identifier: Apache-2.0

// SIMD vectors of the instruction set that the including source is compiled for, with loads and
// stores for each storage type. These are GCC's vector types: the update of a cell is the same
// source for them as for single cells.
#pragma once

#include <cstdint>
#include <cstring>

#include "solver/lattice/storage.hpp"
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif

// A vector of `bytes` bytes.
template <class Value, int bytes>
struct VectorOf {
  typedef Value Type __attribute__((vector_size(bytes)));  // `using` loses the attribute
};

template <class Vector, class Value>
inline Vector load_vector(const Value* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class Vector, class Value>
inline void store_vector(Value* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// Stores past the caches, for values that are not read soon: the line is not read before it is
// overwritten, which saves a third of an update's traffic. `to` is aligned to the size of the
// vector. A plain store on other machines than x86.
template <class Vector, class Value>
inline void stream_vector(Value* to, const Vector& vector) {
#if defined(__AVX512F__)
  if constexpr (sizeof vector == 64) {
    return _mm512_stream_si512(reinterpret_cast<__m512i*>(to), load_vector<__m512i>(&vector));
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof vector == 32) {
    return _mm256_stream_si256(reinterpret_cast<__m256i*>(to), load_vector<__m256i>(&vector));
  }
#endif
#if defined(__x86_64__)
  if constexpr (sizeof vector == 16) {
    return _mm_stream_si128(reinterpret_cast<__m128i*>(to), load_vector<__m128i>(&vector));
  }
#endif
  store_vector(to, vector);
}

// Orders the stores of stream_vector() before all later stores of this thread.
inline void end_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

// Vectors of `count` neighbouring cells. Packed: their values as stored.
template <class Storage>
struct Lanes {
  using Value = typename Storage::Value;
  using Real = typename Storage::Real;
  static constexpr int count = vector_bytes / static_cast<int>(sizeof(Real));
  using Vector = typename VectorOf<Real, vector_bytes>::Type;
  using Packed = typename VectorOf<Value, count* static_cast<int>(sizeof(Value))>::Type;

  static Vector load(const Value* from) { return load_vector<Vector>(from); }
  static Packed pack(const Vector& vector, std::uint32_t) { return vector; }
};

// Converts with the instruction set, or with the integer arithmetic of lattice/half.hpp: the same
// bits for every value but NaN, also where subnormal floats are flushed to zero.
template <>
struct Lanes<Fp16> {
  using Value = Fp16::Value;
  using Real = Fp16::Real;
  static constexpr int count = vector_bytes / static_cast<int>(sizeof(Real));
  using Vector = VectorOf<Real, vector_bytes>::Type;
  using Packed = VectorOf<Value, count* static_cast<int>(sizeof(Value))>::Type;

  // Without instructions for it a conversion is long: as a function, not at each of its many uses.
#if defined(__F16C__)
#define LBM_CONVERSION
#else
#define LBM_CONVERSION [[gnu::noinline]]
#endif
  LBM_CONVERSION static Vector load(const Value* from) {
#if defined(__AVX512F__)
    // With a mask of ones: g++ 12 warns about its own unmasked one.
    return _mm512_maskz_cvtph_ps(0xffff, load_vector<__m256i>(from));
#elif defined(__F16C__)
    return _mm256_cvtph_ps(load_vector<__m128i>(from));
#else
    Vector vector;
    for (int i = 0; i < count; ++i) vector[i] = Fp16::load_scaled(from[i]);
    return vector;
#endif
  }
  // As Fp16::store_rounded.
  LBM_CONVERSION static Packed pack(const Vector& vector, std::uint32_t key) {
    using Bits = VectorOf<std::uint32_t, vector_bytes>::Type;
    const Bits bits = reinterpret_cast<Bits>(vector);
    const Bits noise = half_noise(bits, key);
    const Vector noisy = reinterpret_cast<Vector>(bits + noise);
#if defined(__AVX512F__)
    return reinterpret_cast<Packed>(_mm512_maskz_cvtps_ph(0xffff, noisy, _MM_FROUND_TO_ZERO));
#elif defined(__F16C__)
    return reinterpret_cast<Packed>(_mm256_cvtps_ph(noisy, _MM_FROUND_TO_ZERO));
#else
    Packed packed;
    for (int i = 0; i < count; ++i) packed[i] = float_to_half_truncated(noisy[i]);
    return packed;
#endif
  }
};

#undef LBM_CONVERSION

template <class Scalar>
struct Lanes<AsMoments<Scalar>> : Lanes<Scalar> {};

}  // namespace
}  // namespace lbm::cpu
