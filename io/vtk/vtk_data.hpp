// SPDX-License-Identifier: Apache-2.0

// Pieces of an image as VTK data sets. Internal to lbm_vtk: this header needs VTK.
#pragma once

#include <vtkImageData.h>
#include <vtkSmartPointer.h>

#include <map>

#include "io/image/z_pieces.hpp"

namespace lbm::io {

// Collects planes, in any order, into pieces; the first plane of a piece allocates it.
class PieceBuffers {
 public:
  struct Piece {
    int number;
    vtkSmartPointer<vtkImageData> image;
  };

  PieceBuffers(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays, ZPieces pieces);

  // Returns the pieces completed by this plane (none, one or two), which the caller owns now.
  // Planes and arrays are checked before (PlanesSeen).
  std::vector<Piece> add(int z, std::span<const std::span<const float>> arrays);

 private:
  struct Open {
    vtkSmartPointer<vtkImageData> image;
    int missing;
  };
  Open& open(int piece);
  void copy(vtkImageData& image, int plane, std::span<const std::span<const float>> arrays) const;

  ImageGeometry geometry_;
  std::vector<ArrayInfo> arrays_;
  ZPieces pieces_;
  std::map<int, Open> open_;
};

// Adds time, step and the attributes to the field data; the time as "TimeValue", as VTK's readers
// expect.
void add_field_data(vtkDataObject& data, const FieldInfo& info);

}  // namespace lbm::io
