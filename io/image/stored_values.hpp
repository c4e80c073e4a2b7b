// SPDX-License-Identifier: Apache-2.0

// Values as stored in files: rounded, little endian.
#pragma once

#include <cstddef>
#include <span>

#include "io/image/image.hpp"

namespace lbm::io {

// Stores contiguous values at `to`: values.size() * bytes_of(precision) bytes.
void store(std::span<const float> values, Precision precision, std::byte* to);

}  // namespace lbm::io
