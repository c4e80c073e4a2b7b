// SPDX-License-Identifier: Apache-2.0

// Small text files, replaced atomically.
#pragma once

#include <string_view>

#include "io/files/place.hpp"

namespace lbm::io {

// Writes `text` to `<place>.partial`, flushes it to the disk and renames it: a reader (or a crash)
// sees the old or the new file. Throws ResourceError and then keeps the old file and no
// partial one.
void write_file_atomically(const Place& place, std::string_view text);

}  // namespace lbm::io
