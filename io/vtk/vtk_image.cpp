#include "io/vtk/vtk_image.hpp"

#ifndef LBM_HAVE_VTK

#include "solver/core/error.hpp"

namespace lbm::io {

std::unique_ptr<ImageWriter> make_vti_writer(const std::filesystem::path& stem,
                                             const ImageGeometry&, std::span<const ArrayInfo>,
                                             const FieldInfo&, const ImageOptions&) {
  throw UsageError(stem.string() +
                   ".vti: this program was built without VTK, which writes it; choose the format "
                   "vtkhdf, or install libvtk9-dev and build again");
}

}  // namespace lbm::io

#else

#include <fmt/format.h>
#include <vtkNew.h>
#include <vtkXMLImageDataWriter.h>

#include <stdexcept>

#include "io/image/planes_seen.hpp"
#include "io/vtk/vtk_data.hpp"
#include "io/vtk/vtk_files.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

std::string extent_of(const ImageGeometry& geometry, int first, int last) {
  return fmt::format("0 {} 0 {} {} {}", geometry.points[0] - 1, geometry.points[1] - 1, first,
                     last);
}

class VtiImage final : public ImageWriter {
 public:
  VtiImage(fs::path stem, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
           FieldInfo info, const ImageOptions& options)
      : stem_(std::move(stem)),
        geometry_(geometry),
        arrays_(arrays.begin(), arrays.end()),
        info_(std::move(info)),
        compression_(options.compression),
        seen_(geometry, arrays),
        pieces_(cut_image(geometry, arrays, options.piece_bytes)),
        files_(std::make_unique<VtkFiles>()),
        buffers_(std::make_unique<PieceBuffers>(geometry, arrays, pieces_)) {
    path_ = with_ending(stem_, pieces_.count() == 1 ? ".vti" : ".pvti");
  }

  void write_plane(int z, std::span<const std::span<const float>> arrays) override {
    check_open();
    seen_.check(z, arrays);
    try {
      for (const auto& [number, image] : buffers_->add(z, arrays)) write_piece(number, *image);
    } catch (...) {
      fail();
      throw;
    }
    seen_.add(z);
  }

  void close() override {
    check_open();
    seen_.check_complete();
    try {
      if (pieces_.count() > 1) files_->write(list_of_pieces(), path_);
      files_->commit();
    } catch (...) {
      fail();
      throw;
    }
    fail();
  }

 private:
  void check_open() const {
    if (!files_)
      throw std::logic_error(fmt::format("{}: already closed, or failed", path_.string()));
  }

  void fail() {
    files_.reset();
    buffers_.reset();
  }

  fs::path name_of(int piece) const {
    return pieces_.count() == 1 ? path_ : piece_path(stem_, piece, ".vti");
  }

  void write_piece(int piece, vtkImageData& image) {
    add_field_data(image, info_);
    const int planes = pieces_.last(piece) - pieces_.first(piece) + 1;
    vtkNew<vtkXMLImageDataWriter> writer;
    files_->write(*writer, image, name_of(piece), compression_,
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
                          name_of(piece).filename().string());
    return text + "  </PImageData>\n</VTKFile>\n";
  }

  fs::path stem_;
  ImageGeometry geometry_;
  std::vector<ArrayInfo> arrays_;
  FieldInfo info_;
  int compression_;
  PlanesSeen seen_;
  ZPieces pieces_;
  std::unique_ptr<VtkFiles> files_;        // null after close or failure
  std::unique_ptr<PieceBuffers> buffers_;  // null after close or failure
};

}  // namespace

std::unique_ptr<ImageWriter> make_vti_writer(const fs::path& stem, const ImageGeometry& geometry,
                                             std::span<const ArrayInfo> arrays,
                                             const FieldInfo& info, const ImageOptions& options) {
  return std::make_unique<VtiImage>(stem, geometry, arrays, info, options);
}

}  // namespace lbm::io

#endif

#include "io/image/z_pieces.hpp"

namespace lbm::io {

std::uint64_t predicted_vti_bytes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                                  const FieldInfo& info, const ImageOptions& options) {
  const ZPieces pieces = cut_image(geometry, arrays, options.piece_bytes);
  const auto planes = static_cast<std::uint64_t>(geometry.points[2] + pieces.count() - 1);
  std::uint64_t header = 8192 + 512 * arrays.size();
  for (const auto& [name, value] : info.attributes) {
    header += 512 + name.size();
    if (const auto* text = std::get_if<std::string>(&value)) header += text->size();
  }
  const std::uint64_t values = planes * plane_bytes(geometry, arrays);
  // incompressible deflate blocks
  const std::uint64_t blocks = options.compression > 0 ? values / 512 : 0;
  return values + blocks + header * static_cast<std::uint64_t>(pieces.count() + 1);
}

}  // namespace lbm::io
