// SPDX-License-Identifier: Apache-2.0
#include "io/image/stored_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "solver/lattice/storage.hpp"

namespace lbm::io {
namespace {

static_assert(std::endian::native == std::endian::little, "values go to the file as they are");

template <typename T, typename Convert>
void store_each(std::span<const float> values, std::byte* to, Convert convert) {
  for (const float value : values) {
    const T stored = convert(value);
    std::memcpy(to, &stored, sizeof stored);
    to += sizeof stored;
  }
}

std::uint8_t to_uint8(float value) {
  if (!(value > 0)) return 0;  // NaN, too
  return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0F)));
}

}  // namespace

int bytes_of(Precision precision) {
  switch (precision) {
    case Precision::float16:
      return 2;
    case Precision::uint8:
      return 1;
    default:
      return 4;
  }
}

void store(std::span<const float> values, Precision precision, std::byte* to) {
  if (precision == Precision::float16)
    // Not by its address, which cannot be inlined where the compiler must.
    store_each<std::uint16_t>(values, to, [](float value) { return float_to_half(value); });
  else if (precision == Precision::uint8)
    store_each<std::uint8_t>(values, to, to_uint8);
  else
    std::memcpy(to, values.data(), values.size_bytes());
}

}  // namespace lbm::io
