// SPDX-License-Identifier: Apache-2.0

// PNG files.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/files/place.hpp"
#include "io/picture/canvas.hpp"

namespace lbm::io {

// Writes the canvas as a PNG file of 8 bits a colour, replacing a file of that name as
// write_file_atomically() does. Throws ResourceError for the disk, std::bad_alloc.
void write_png(const Place& place, const Canvas& canvas);

// Rows from the top, [height][width].
struct GreyImage {
  int width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

// The grey values of a PNG file in memory. Throws std::logic_error for anything else.
GreyImage read_grey_png(std::span<const std::uint8_t> file);

}  // namespace lbm::io
