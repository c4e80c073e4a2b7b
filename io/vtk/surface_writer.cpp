// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/surface_writer.hpp"

#include <fmt/format.h>
#include <vtkAppendPolyData.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <stdexcept>

#include "io/image/planes_seen.hpp"
#include "io/vtk/vtk_data.hpp"
#include "io/vtk/vtk_files.hpp"

namespace lbm::io {
namespace {

std::vector<ArrayInfo> as_float32(std::span<const ArrayInfo> arrays) {
  std::vector<ArrayInfo> all(arrays.begin(), arrays.end());
  for (ArrayInfo& array : all) array.precision = Precision::float32;
  return all;
}

void check(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays, std::size_t scalar) {
  const auto [nx, ny, nz] = geometry.points;
  if (std::min({nx, ny, nz}) < 2)
    throw std::invalid_argument(
        fmt::format("no surface in an image of {} x {} x {} points", nx, ny, nz));
  if (scalar >= arrays.size() || arrays[scalar].components != 1)
    throw std::invalid_argument(fmt::format("array {} is no scalar", scalar));
}

// Collects planes into slabs of an image. The first failure ends it and removes its files.
class Surface final : public ImageWriter {
 public:
  Surface(const Place& stem, const ImageGeometry& geometry, std::vector<ArrayInfo> arrays,
          const FieldInfo& info, const SurfaceOptions& options)
      : stem_(stem),
        arrays_(std::move(arrays)),
        info_(info),
        options_(options),
        files_(std::make_unique<VtkFiles>()),
        seen_(geometry, arrays_),
        slabs_(geometry, arrays_, options.slab_bytes) {
    place_ = stem_.with_ending(".vtp");
  }

  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    check_open();
    seen_.check(z, arrays);
    or_end([&] {
      for (const auto& slab : slabs_.add(z, arrays)) extract(*slab.image);
      if (waiting_bytes_ >= options_.piece_bytes) write_piece();
    });
    seen_.add(z);
  }

  void close() override {
    check_open();
    seen_.check_complete();
    or_end([&] { finish(); });
    files_.reset();
  }

 private:
  void check_open() const {
    if (!files_)
      throw std::logic_error(fmt::format("{}: already closed, or failed", path().string()));
  }

  template <class Work>
  void or_end(const Work& work) {
    try {
      work();
    } catch (...) {
      files_.reset();
      throw;
    }
  }

  void finish() {
    if (!parts_.empty() || files_->count() == 0) write_piece();
    if (files_->count() == 1) return files_->commit_as(place_);
    place_ = stem_.with_ending(".pvtp");
    files_->write(list_of_pieces(), place_);
    files_->commit();
  }

  void extract(vtkImageData& slab) {
    vtkNew<vtkFlyingEdges3D> contour;
    contour->SetInputData(&slab);
    contour->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS,
                                    arrays_[options_.scalar].name.c_str());
    contour->SetValue(0, options_.value);
    contour->ComputeScalarsOff();  // constant on an isosurface
    contour->ComputeNormalsOff();  // would not agree across slabs
    contour->ComputeGradientsOff();
    contour->InterpolateAttributesOn();
    contour->Update();
    const vtkSmartPointer<vtkPolyData> part = contour->GetOutput();
    if (part->GetNumberOfPoints() == 0) return;
    waiting_bytes_ += static_cast<std::uint64_t>(part->GetActualMemorySize()) * 1024;
    parts_.push_back(part);
  }

  // An empty surface has all arrays, so that a series has the same ones at all times.
  vtkSmartPointer<vtkPolyData> empty_part() const {
    auto part = vtkSmartPointer<vtkPolyData>::New();
    part->SetPoints(vtkNew<vtkPoints>());
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      if (i == options_.scalar) continue;
      vtkNew<vtkFloatArray> array;
      array->SetName(arrays_[i].name.c_str());
      array->SetNumberOfComponents(arrays_[i].components);
      part->GetPointData()->AddArray(array);
    }
    return part;
  }

  void write_piece() {
    if (parts_.empty()) parts_.push_back(empty_part());
    auto whole = parts_.front();
    if (parts_.size() > 1) {
      vtkNew<vtkAppendPolyData> all;
      for (const auto& part : parts_) all->AddInputData(part);
      all->Update();
      whole = all->GetOutput();
    }
    parts_.clear();
    vtkPolyData& piece = *whole;
    piece.GetFieldData()->Initialize();
    add_field_data(piece, info_);
    vtkNew<vtkXMLPolyDataWriter> writer;
    files_->write(*writer, piece, piece_place(stem_, static_cast<int>(files_->count()), ".vtp"),
                  options_.compression, waiting_bytes_);
    waiting_bytes_ = 0;
  }

  std::string list_of_pieces() const {
    std::string text =
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PPolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "  <PPolyData GhostLevel=\"0\">\n    <PPointData>\n";
    for (std::size_t i = 0; i < arrays_.size(); ++i)
      if (i != options_.scalar) text += parallel_array(arrays_[i]);
    text +=
        "    </PPointData>\n    <PPoints>\n"
        "      <PDataArray type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\"/>\n"
        "    </PPoints>\n";
    for (std::size_t piece = 0; piece < files_->count(); ++piece)
      text += fmt::format(
          "    <Piece Source=\"{}\"/>\n",
          piece_place(stem_, static_cast<int>(piece), ".vtp").path().filename().string());
    return text + "  </PPolyData>\n</VTKFile>\n";
  }

  Place stem_;
  std::vector<ArrayInfo> arrays_;
  FieldInfo info_;
  SurfaceOptions options_;
  std::unique_ptr<VtkFiles> files_;  // null after close or failure
  PlanesSeen seen_;
  PieceBuffers slabs_;
  std::vector<vtkSmartPointer<vtkPolyData>> parts_;  // not written yet
  std::uint64_t waiting_bytes_ = 0;                  // of the parts
};

}  // namespace

std::unique_ptr<ImageWriter> make_surface_writer(const Place& stem, const ImageGeometry& geometry,
                                                 std::span<const ArrayInfo> arrays,
                                                 const FieldInfo& info,
                                                 const SurfaceOptions& options) {
  check(geometry, arrays, options.scalar);
  return std::make_unique<Surface>(stem, geometry, as_float32(arrays), info, options);
}

bool writes_vtk() { return true; }

}  // namespace lbm::io
