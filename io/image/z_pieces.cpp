// SPDX-License-Identifier: Apache-2.0
#include "io/image/z_pieces.hpp"

#include <algorithm>

namespace lbm::io {

std::uint64_t plane_bytes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays) {
  std::uint64_t bytes = 0;
  for (const ArrayInfo& array : arrays)
    bytes += static_cast<std::uint64_t>(array.components) *
             (array.precision == Precision::uint8 ? 1 : sizeof(float));
  return bytes * static_cast<std::uint64_t>(geometry.points[0]) *
         static_cast<std::uint64_t>(geometry.points[1]);
}

ZPieces cut_image(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                  std::uint64_t bytes) {
  const int planes = geometry.points[2], cells = std::max(planes - 1, 1);
  const std::uint64_t fit = bytes / std::max<std::uint64_t>(plane_bytes(geometry, arrays), 1);
  const auto most = static_cast<std::uint64_t>(cells) + 1;
  const int piece = static_cast<int>(std::clamp<std::uint64_t>(fit, 2, most)) - 1;
  const int count = (cells + piece - 1) / piece;
  return {planes, (cells + count - 1) / count};  // of nearly equal size
}

}  // namespace lbm::io
