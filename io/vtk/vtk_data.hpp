// Pieces of an image as VTK's data sets. For the .cpp files of lbm_vtk only: this header needs VTK.
#pragma once

#include <vtkImageData.h>
#include <vtkSmartPointer.h>

#include <map>

#include "io/image/z_pieces.hpp"

namespace lbm::io {

// Gathers planes in any order into pieces; memory is taken with a piece's first plane.
class PieceBuffers {
 public:
  struct Piece {
    int number;
    vtkSmartPointer<vtkImageData> image;
  };

  PieceBuffers(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays, ZPieces pieces);

  // The pieces that are complete with this plane: none, one or two; they are the caller's now.
  // Planes and arrays were checked (PlanesSeen).
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

// Puts time, step and the attributes into the field data; the time as "TimeValue", where VTK's
// readers look for it.
void add_field_data(vtkDataObject& data, const FieldInfo& info);

}  // namespace lbm::io
