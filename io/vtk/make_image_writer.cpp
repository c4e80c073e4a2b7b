// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/make_image_writer.hpp"

#include "io/files/posix_file.hpp"
#include "io/hdf5/vtkhdf_image.hpp"
#include "io/image/z_pieces.hpp"

namespace lbm::io {
namespace {

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

}  // namespace

std::unique_ptr<ImageWriter> make_image_writer(const Place& stem, const ImageGeometry& geometry,
                                               std::span<const ArrayInfo> arrays,
                                               const FieldInfo& info, const ImageOptions& options) {
  if (options.format == ImageFormat::vti)
    return make_vti_writer(stem, geometry, arrays, info, options);
  return std::make_unique<VtkhdfImage>(stem.with_ending(".hdf"), geometry, arrays, info, options);
}

std::uint64_t predicted_image_bytes(const ImageGeometry& geometry,
                                    std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                    const ImageOptions& options) {
  if (options.format == ImageFormat::vti)
    return predicted_vti_bytes(geometry, arrays, info, options);
  return predicted_vtkhdf_bytes(geometry, arrays, info, options.compression);
}

}  // namespace lbm::io
