// SPDX-License-Identifier: Apache-2.0

// Makes slices readable for VTKHDF readers.
#pragma once

#include <span>
#include <vector>

#include "io/image/image.hpp"

namespace lbm::io {

// VTKHDF readers disagree about images that are one point thick: VTK 9.1 and ParaView 5.11 crash on
// most, later ones expect another array shape. A slice is therefore written as one layer of cells:
// two points with equal values, half a spacing before and behind it.

// Geometry of the file; unchanged if no axis has one point only.
ImageGeometry thickened(ImageGeometry geometry);

// Doubles single columns and rows of all arrays [ny][nx][components] of a plane.
class FlatPlanes {
 public:
  FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);
  // Valid until the next call, and no longer than `arrays`, which are returned themselves if
  // nothing is to be doubled.
  std::span<const std::span<const float>> doubled(std::span<const std::span<const float>> arrays);
  // Copies of each plane in the file: 2 for an image of one plane, else 1.
  int copies() const { return points_[2] == 1 ? 2 : 1; }

 private:
  std::span<const float> doubled(std::size_t array, std::span<const float> values);

  std::array<int, 3> points_;
  std::vector<int> components_;
  std::vector<std::vector<float>> doubled_;
  std::vector<std::span<const float>> planes_;
};

}  // namespace lbm::io
