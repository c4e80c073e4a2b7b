// Stores past the cache, for rows that nobody reads soon: what is overwritten is then not read
// first, a third of an update's traffic. Elsewhere than on x86, plain stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lbm::cpu {
namespace {  // one copy per instruction set

// to[0 ... bytes): both aligned to 32 bytes, bytes a multiple of 32.
inline void stream_row(const void* from, void* to, std::size_t bytes) {
#if defined(__AVX__)
  const auto* source = static_cast<const std::byte*>(from);
  auto* target = static_cast<std::byte*>(to);
  std::size_t at = 0;
#if defined(__AVX512F__)
  if (reinterpret_cast<std::uintptr_t>(to) % 64 != 0 && bytes >= 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(target),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source)));
    at = 32;
  }
  for (; at + 64 <= bytes; at += 64) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(target + at), _mm512_loadu_si512(source + at));
  }
#endif
  for (; at < bytes; at += 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(target + at),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(source + at)));
  }
#elif defined(__x86_64__)
  const auto* source = static_cast<const __m128i*>(from);
  auto* target = static_cast<__m128i*>(to);
  for (std::size_t i = 0; i < bytes / 16; ++i) {
    _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

// What stream_row() stored is visible to other threads after what this thread stores from here on.
inline void end_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace
}  // namespace lbm::cpu
