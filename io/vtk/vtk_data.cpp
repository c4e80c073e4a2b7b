// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_data.hpp"

#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkStringArray.h>
#include <vtkTypeInt64Array.h>

namespace lbm::io {
namespace {

vtkSmartPointer<vtkFloatArray> make_array(const ArrayInfo& info, vtkIdType points) {
  auto array = vtkSmartPointer<vtkFloatArray>::New();
  array->SetName(info.name.c_str());
  array->SetNumberOfComponents(info.components);
  array->SetNumberOfTuples(points);
  return array;
}

std::uint64_t plane_bytes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays) {
  std::uint64_t values = 0;
  for (const ArrayInfo& array : arrays) values += static_cast<std::uint64_t>(array.components);
  return values * sizeof(float) * static_cast<std::uint64_t>(geometry.points[0]) *
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

template <typename Array, typename Value>
void add_value(vtkFieldData& fields, const std::string& name, const Value& value) {
  vtkNew<Array> array;
  array->SetName(name.c_str());
  array->InsertNextValue(value);
  fields.AddArray(array);
}

}  // namespace

PieceBuffers::PieceBuffers(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                           std::uint64_t bytes)
    : geometry_(geometry),
      arrays_(arrays.begin(), arrays.end()),
      pieces_(cut_image(geometry, arrays, bytes)) {}

std::vector<PieceBuffers::Piece> PieceBuffers::add(int z,
                                                   std::span<const std::span<const float>> arrays) {
  std::vector<Piece> complete;
  const int last = std::min(z / pieces_.piece_cells, pieces_.count() - 1);
  for (int piece = std::max(last - 1, 0); piece <= last; ++piece) {
    if (z < pieces_.first(piece) || z > pieces_.last(piece)) continue;
    Open& target = open(piece);
    copy(*target.image, z - pieces_.first(piece), arrays);
    if (--target.missing > 0) continue;
    complete.push_back({piece, target.image});
    open_.erase(piece);
  }
  return complete;
}

PieceBuffers::Open& PieceBuffers::open(int piece) {
  const auto found = open_.find(piece);
  if (found != open_.end()) return found->second;
  const auto [nx, ny, nz] = geometry_.points;
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetOrigin(geometry_.origin.data());
  image->SetSpacing(geometry_.spacing.data());
  image->SetExtent(0, nx - 1, 0, ny - 1, pieces_.first(piece), pieces_.last(piece));
  for (const ArrayInfo& array : arrays_)
    image->GetPointData()->AddArray(make_array(array, image->GetNumberOfPoints()));
  const int planes = pieces_.last(piece) - pieces_.first(piece) + 1;
  return open_.emplace(piece, Open{image, planes}).first->second;
}

void PieceBuffers::copy(vtkImageData& image, int plane,
                        std::span<const std::span<const float>> arrays) const {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto at = static_cast<vtkIdType>(arrays[i].size()) * plane;
    void* to = image.GetPointData()->GetArray(static_cast<int>(i))->GetVoidPointer(at);
    std::copy(arrays[i].begin(), arrays[i].end(), static_cast<float*>(to));
  }
}

void add_field_data(vtkDataObject& data, const FieldInfo& info) {
  vtkFieldData& fields = *data.GetFieldData();
  add_value<vtkDoubleArray>(fields, "TimeValue", info.time);
  add_value<vtkTypeInt64Array>(fields, "step", info.step);
  for (const auto& [name, value] : info.attributes) {
    if (const auto* text = std::get_if<std::string>(&value))
      add_value<vtkStringArray>(fields, name, *text);
    else
      add_value<vtkDoubleArray>(fields, name, std::get<double>(value));
  }
}

}  // namespace lbm::io
