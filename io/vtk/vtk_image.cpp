// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/vtk_image.hpp"

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkXMLImageDataWriter.h>

#include "io/vtk/vtk_writer.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

std::string extent_of(const ImageGeometry& geometry, int first, int last) {
  return fmt::format("0 {} 0 {} {} {}", geometry.points[0] - 1, geometry.points[1] - 1, first,
                     last);
}

class VtiImage final : public VtkWriter {
 public:
  VtiImage(const Place& stem, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
           const FieldInfo& info, const ImageOptions& options, ZPieces pieces)
      : VtkWriter(stem, geometry, arrays, info, pieces),
        geometry_(geometry),
        compression_(options.compression),
        pieces_(pieces) {
    place_ = stem_.with_ending(pieces_.count() == 1 ? ".vti" : ".pvti");
  }

 private:
  void take(const std::vector<PieceBuffers::Piece>& complete) override {
    for (const auto& [number, image] : complete) write_piece(number, *image);
  }

  void finish() override {
    if (pieces_.count() > 1) files_->write(list_of_pieces(), place_);
    files_->commit();
  }

  Place place_of(int piece) const {
    return pieces_.count() == 1 ? place_ : piece_place(stem_, piece, ".vti");
  }

  void write_piece(int piece, vtkImageData& image) {
    add_field_data(image, info_);
    const int planes = pieces_.last(piece) - pieces_.first(piece) + 1;
    vtkNew<vtkXMLImageDataWriter> writer;
    files_->write(*writer, image, place_of(piece), compression_,
                  plane_bytes(geometry_, arrays_) * static_cast<std::uint64_t>(planes));
  }

  std::string list_of_pieces() const {
    const auto& [origin, spacing] = std::tie(geometry_.origin, geometry_.spacing);
    std::string text = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "  <PImageData WholeExtent=\"{}\" GhostLevel=\"0\" Origin=\"{} {} {}\" "
        "Spacing=\"{} {} {}\">\n    <PPointData>\n",
        extent_of(geometry_, 0, geometry_.points[2] - 1), origin[0], origin[1], origin[2],
        spacing[0], spacing[1], spacing[2]);
    for (const ArrayInfo& array : arrays_) text += parallel_array(array);
    text += "    </PPointData>\n";
    for (int piece = 0; piece < pieces_.count(); ++piece)
      text += fmt::format("    <Piece Extent=\"{}\" Source=\"{}\"/>\n",
                          extent_of(geometry_, pieces_.first(piece), pieces_.last(piece)),
                          place_of(piece).path().filename().string());
    return text + "  </PImageData>\n</VTKFile>\n";
  }

  ImageGeometry geometry_;
  int compression_;
  ZPieces pieces_;
};

}  // namespace

std::unique_ptr<ImageWriter> make_vti_writer(const Place& stem, const ImageGeometry& geometry,
                                             std::span<const ArrayInfo> arrays,
                                             const FieldInfo& info, const ImageOptions& options) {
  return std::make_unique<VtiImage>(stem, geometry, arrays, info, options,
                                    cut_image(geometry, arrays, options.piece_bytes));
}

bool writes_vtk() { return true; }

}  // namespace lbm::io
