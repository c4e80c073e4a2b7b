// Values as files hold them: rounded, little endian.
#pragma once

#include <cstddef>
#include <span>

#include "io/image/image.hpp"

namespace lbm::io {

// Writes values, one after the other, from `to` on: values.size() * bytes_of(precision)
// bytes.
void store(std::span<const float> values, Precision precision, std::byte* to);

}  // namespace lbm::io
