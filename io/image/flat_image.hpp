// Slices as readers of VTKHDF take them.
#pragma once

#include <span>
#include <vector>

#include "io/image/image.hpp"

namespace lbm::io {

// VTK's readers of VTKHDF do not agree about images that are one point thick: 9.1 and ParaView 5.11
// crash on most of them, later ones want another shape of the arrays. So a slice becomes one layer
// of cells: two points, half a spacing before and behind the slice, with the same values.

// The geometry of the file; that of the image where no axis has one point.
ImageGeometry thickened(ImageGeometry geometry);

// How often each plane of the image is in the file: 2 where it has one plane, else 1.
int copies_of_planes(const ImageGeometry& geometry);

// One array of a plane, [ny][nx][components], with its single columns and rows doubled.
class FlatPlane {
 public:
  FlatPlane(const ImageGeometry& geometry, int components);
  // The result lives until the next call, and as long as `values`, which it is where nothing is
  // to be doubled.
  std::span<const float> doubled(std::span<const float> values);

 private:
  int columns_, rows_, components_;
  std::vector<float> values_;
};

// All arrays of a plane.
class FlatPlanes {
 public:
  FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);
  // As FlatPlane's.
  std::span<const std::span<const float>> doubled(std::span<const std::span<const float>> arrays);
  int copies() const { return copies_; }  // of each in the file

 private:
  int copies_;
  std::vector<FlatPlane> flat_;
  std::vector<std::span<const float>> planes_;
};

}  // namespace lbm::io
