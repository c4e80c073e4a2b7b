// Values as files hold them: scaled, rounded, little endian.
#pragma once

#include <cstddef>
#include <span>

#include "io/image_writer.hpp"

namespace lbm::io {

// Writes values * scale, one after the other, from `to` on: values.size() * bytes_of(precision)
// bytes.
void store(std::span<const float> values, float scale, Precision precision, std::byte* to);

}  // namespace lbm::io
