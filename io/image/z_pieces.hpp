// SPDX-License-Identifier: Apache-2.0

// Cuts an image along z into pieces; neighbours share a plane.
#pragma once

#include <span>

#include "io/image/image.hpp"

namespace lbm::io {

struct ZPieces {
  int planes;       // of the image
  int piece_cells;  // along z; the last piece may have fewer

  int count() const { return planes == 1 ? 1 : (planes - 1 + piece_cells - 1) / piece_cells; }
  int first(int piece) const { return piece * piece_cells; }
  int last(int piece) const {
    const int end = first(piece) + piece_cells;
    return end < planes ? end : planes - 1;
  }
};

// Cuts into pieces of about `bytes` in memory (at least two planes); one if all fits.
ZPieces cut_image(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                  std::uint64_t bytes);

// Bytes of one plane in memory; float16 takes four bytes a value.
std::uint64_t plane_bytes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);

}  // namespace lbm::io
