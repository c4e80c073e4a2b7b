// SPDX-License-Identifier: Apache-2.0

// Byte counts for people.
#pragma once

#include <cstdint>
#include <string>

namespace lbm {

// "512 B", "1.5 KiB", "63.4 GiB": binary units, one decimal.
std::string human_bytes(std::uint64_t bytes);

}  // namespace lbm
