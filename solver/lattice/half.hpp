// SPDX-License-Identifier: Apache-2.0

// IEEE 754 binary16 to and from binary32, round to nearest even, written on integers without
// branches so that compilers vectorise it for any instruction set. Gives the same bits as the
// GPU's conversions for every non-NaN value.
#pragma once

#include <bit>
#include <cstdint>

#include "solver/core/host_device.hpp"

namespace lbm {

// Exact: every half is a float. No branch makes a subnormal float, which would cost a hundred
// cycles on most CPUs.
LBM_HD float half_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = half & 0x7fffU;
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t normal = (magnitude << 13) + (112U << 23);  // move the exponent's bias
  // Below 2^-14 halves are multiples of 2^-24, which is the spacing of floats in [0.5, 1).
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(0x3f000000U | magnitude) - 0.5F);
  std::uint32_t bits = magnitude < 0x400U ? subnormal : normal;
  bits = magnitude >= 0x7c00U ? 0x7f800000U | (magnitude << 13) : bits;  // infinity, NaN
  return std::bit_cast<float>(bits | sign);
}

// Rounds to nearest even; from +-65520 on gives infinity; NaN stays NaN.
LBM_HD std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  // Normal halves: drop 13 mantissa bits with round to even, then move the exponent's bias.
  const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
  const std::uint32_t normal = (rounded >> 13) - (112U << 10);
  // Below 2^-14: rounds to a multiple of 2^-24, the spacing of floats in [0.5, 1).
  const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  result = magnitude >= 0x477ff000U ? 0x7c00U : result;  // 65520 and above: infinity
  result = magnitude > 0x7f800000U ? 0x7e00U : result;   // NaN
  return static_cast<std::uint16_t>(result | sign);
}

// 13 pseudo-random bits, as many as a float has below the last place of a normal half: a function
// of the float's bits and the key. A multiplicative hash (Knuth, The Art of Computer Programming 3,
// 6.4): over random keys each value has uniform noise, and different values have different noise.
// Bits: a 32-bit number, or a vector of them.
inline constexpr std::uint32_t half_noise_factor = 0x9e3779b1U;
template <class Bits>
LBM_HD Bits half_noise(Bits bits, std::uint32_t key, std::uint32_t factor = half_noise_factor) {
  return (bits * factor + key) >> 19;
}

// Rounds towards zero; beyond +-65504 gives +-65504; infinity and NaN stay as they are.
LBM_HD std::uint16_t float_to_half_truncated(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t normal = (magnitude >> 13) - (112U << 10);
  // Below 2^-14: the nearest multiple of 2^-24, less one where that is larger.
  const float size = std::bit_cast<float>(magnitude), shifted = size + 0.5F;
  const std::uint32_t nearest = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  const std::uint32_t subnormal = shifted - 0.5F > size ? nearest - 1 : nearest;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  result = magnitude >= 0x47800000U ? 0x7bffU : result;
  result = magnitude == 0x7f800000U ? 0x7c00U : result;
  result = magnitude > 0x7f800000U ? 0x7e00U : result;
  return static_cast<std::uint16_t>(result | sign);
}

// Stochastic rounding (Croci et al., R. Soc. Open Sci. 9 (2022) 211631): noise below the last place
// makes the mean exact from 2^-14 on; smaller values tend towards zero. The noise depends on the
// value and on `key`, not on place or order. Halves, also zero, stay as they are. Infinity may
// become NaN.
LBM_HD std::uint16_t float_to_half_stochastic(float value, std::uint32_t key) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  return float_to_half_truncated(std::bit_cast<float>(bits + half_noise(bits, key)));
}

// The key of a time step: a mixed number, so that the keys of all steps are unrelated (the
// finaliser of SplitMix64; Steele, Lea & Flood, OOPSLA 2014).
inline std::uint32_t rounding_key(std::int64_t step) {
  std::uint64_t z = static_cast<std::uint64_t>(step) + 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 32);
}

}  // namespace lbm
