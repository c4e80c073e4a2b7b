#include "io/vtk/make_image_writer.hpp"

#include "io/hdf5/vtkhdf_image.hpp"
#include "io/vtk/vtk_image.hpp"

namespace lbm::io {
namespace {

std::filesystem::path with_ending(std::filesystem::path stem, const char* ending) {
  stem += ending;  // unlike replace_extension(), keeps dots in names of outputs
  return stem;
}

}  // namespace

std::unique_ptr<ImageWriter> make_image_writer(const std::filesystem::path& stem,
                                               const ImageGeometry& geometry,
                                               std::span<const ArrayInfo> arrays,
                                               const FieldInfo& info, const ImageOptions& options) {
  if (options.format == ImageFormat::vti)
    return make_vti_writer(stem, geometry, arrays, info, options);
  return std::make_unique<VtkhdfImage>(with_ending(stem, ".vtkhdf"), geometry, arrays, info,
                                       options);
}

std::uint64_t predicted_image_bytes(const ImageGeometry& geometry,
                                    std::span<const ArrayInfo> arrays, const FieldInfo& info,
                                    const ImageOptions& options) {
  if (options.format == ImageFormat::vti)
    return predicted_vti_bytes(geometry, arrays, info, options);
  return predicted_vtkhdf_bytes(geometry, arrays, info, options.compression);
}

bool writes_vtk() {
#ifdef LBM_HAVE_VTK
  return true;
#else
  return false;
#endif
}

}  // namespace lbm::io
