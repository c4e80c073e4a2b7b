#include "io/vtk_image.hpp"

#include "solver/core/error.hpp"

namespace lbm::io {

std::unique_ptr<ImageWriter> make_vti_writer(const std::filesystem::path& stem,
                                             const ImageGeometry&, std::span<const ArrayInfo>,
                                             const FieldInfo&, const ImageOptions&) {
  throw UsageError(stem.string() +
                   ".vti: this program was built without VTK, which writes it; choose the format "
                   "vtkhdf, or install libvtk9-dev and build again");
}

std::uint64_t predicted_vti_bytes(const ImageGeometry&, std::span<const ArrayInfo>,
                                  const FieldInfo&) {
  return 0;
}

}  // namespace lbm::io
