#include "io/vtkhdf_writer.hpp"

#include "io/vtkhdf_image.hpp"

namespace lbm::io {
namespace {

std::vector<ArrayInfo> both() { return {{"density", 1, {}, {}}, {"velocity", 3, {}, {}}}; }

}  // namespace

std::uint64_t predicted_file_bytes(const std::array<int, 3>& points, const FieldInfo& info) {
  return predicted_vtkhdf_bytes({points, {}, {}}, both(), info, 0);
}

VtkhdfWriter::VtkhdfWriter(std::filesystem::path path, const ImageGeometry& geometry,
                           const FieldInfo& info, int threads)
    : image_(std::make_unique<VtkhdfImage>(std::move(path), geometry, both(), info,
                                           ImageOptions{ImageFormat::vtkhdf, 0, threads})) {}

VtkhdfWriter::~VtkhdfWriter() = default;
VtkhdfWriter::VtkhdfWriter(VtkhdfWriter&&) noexcept = default;
VtkhdfWriter& VtkhdfWriter::operator=(VtkhdfWriter&&) noexcept = default;

void VtkhdfWriter::write_plane(int z, std::span<const float> density,
                               std::span<const float> velocity, float velocity_scale) {
  const std::array<std::span<const float>, 2> arrays{density, velocity};
  const std::array<float, 2> scales{1, velocity_scale};
  image_->write_scaled_plane(z, arrays, scales);
}

void VtkhdfWriter::close() { image_->close(); }

}  // namespace lbm::io
