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

// Copies of each plane in the file: 2 for an image of one plane, else 1.
int copies_of_planes(const ImageGeometry& geometry);

// One array [ny][nx][components] of a plane; doubles single columns and rows.
class FlatPlane {
 public:
  FlatPlane(const ImageGeometry& geometry, int components);
  // Valid until the next call, and no longer than `values`, which is returned itself if nothing is
  // to be doubled.
  std::span<const float> doubled(std::span<const float> values);

 private:
  int columns_, rows_, components_;
  std::vector<float> values_;
};

// Doubles all arrays of a plane.
class FlatPlanes {
 public:
  FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);
  // As in FlatPlane.
  std::span<const std::span<const float>> doubled(std::span<const std::span<const float>> arrays);
  int copies() const { return copies_; }  // of each plane in the file

 private:
  int copies_;
  std::vector<FlatPlane> flat_;
  std::vector<std::span<const float>> planes_;
};

}  // namespace lbm::io
