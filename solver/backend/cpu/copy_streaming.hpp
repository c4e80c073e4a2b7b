// SPDX-License-Identifier: Apache-2.0

// A copy for memory that is not read again soon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace lbm::cpu {

// As memcpy. On x86 large copies bypass the cache: the target is not read before it is overwritten,
// which saves a third of the traffic of a plain copy.
inline void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__x86_64__)
  constexpr std::size_t line = 64, least = std::size_t{1} << 18;
  if (bytes >= least) {
    const std::size_t head = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
    std::memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    for (; bytes >= line; bytes -= line, to += line, from += line) {
      __m128i value[4];
      for (int i = 0; i < 4; ++i) {
        value[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from) + i);
      }
      for (int i = 0; i < 4; ++i) _mm_stream_si128(reinterpret_cast<__m128i*>(to) + i, value[i]);
    }
    _mm_sfence();
  }
#endif
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace lbm::cpu
