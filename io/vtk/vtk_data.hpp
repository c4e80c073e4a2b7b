// SPDX-License-Identifier: Apache-2.0

// Pieces of an image as VTK data sets, of float32. Internal to lbm_vtk: this header needs VTK.
#pragma once

#include <vtkImageData.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "io/image/image.hpp"

namespace lbm::io {

// An image cut along z into pieces; neighbours share a plane.
struct ZPieces {
  int planes;       // of the image
  int piece_cells;  // along z; the last piece may have fewer

  int count() const { return planes == 1 ? 1 : (planes - 1 + piece_cells - 1) / piece_cells; }
  int first(int piece) const { return piece * piece_cells; }
  int last(int piece) const { return std::min(first(piece) + piece_cells, planes - 1); }
};

// Collects planes, in any order, into pieces; the first plane of a piece allocates it.
class PieceBuffers {
 public:
  struct Piece {
    int number;
    vtkSmartPointer<vtkImageData> image;
  };

  // bytes: about as many for a piece, at least two planes; one piece if all fits.
  PieceBuffers(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
               std::uint64_t bytes);

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
