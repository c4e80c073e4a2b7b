// IEEE 754 binary16 to and from binary32, round to nearest even, written on integers without
// branches so that compilers vectorise it for any instruction set. Gives the same bits as the
// GPU's conversions for every non-NaN value.
#pragma once

#include <bit>
#include <cstdint>

#include "solver/core/host_device.hpp"

namespace lbm {

// Exact: every half is a float. Neither way passes through a subnormal float, which would cost a
// hundred cycles each on most CPUs.
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

// Rounds to nearest even; beyond +-65504 gives infinity; NaN stays NaN.
LBM_HD std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  // Normal halves: drop 13 mantissa bits with round to even, then move the exponent's bias.
  const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
  const std::uint32_t normal = (rounded >> 13) - (112U << 10);
  // Below 2^-14: rounds to a multiple of 2^-24, as above.
  const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
  const std::uint32_t subnormal = std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U;
  std::uint32_t result = magnitude < 0x38800000U ? subnormal : normal;
  result = magnitude >= 0x477ff000U ? 0x7c00U : result;  // 65520 and above: infinity
  result = magnitude > 0x7f800000U ? 0x7e00U : result;   // NaN
  return static_cast<std::uint16_t>(result | sign);
}

}  // namespace lbm
