// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/labelled_voxels.hpp"

#include <algorithm>

namespace lbm::geometry {
namespace {

// Labels of a whole plane of the file.
class PlaneLabels {
 public:
  explicit PlaneLabels(const io::VoxelImage& image)
      : image_(image),
        size_(static_cast<std::size_t>(image.format().voxels[0] * image.format().voxels[1])),
        labels_(new std::int64_t[size_]) {}
  void read(std::int64_t z) { image_.plane(z, {labels_.get(), size_}); }
  const std::int64_t* row(std::int64_t x, std::int64_t y) const {
    return labels_.get() + y * image_.format().voxels[0] + x;
  }

 private:
  const io::VoxelImage& image_;
  std::size_t size_;
  std::unique_ptr<std::int64_t[]> labels_;  // NOLINT: not zeroed, since all of it is read
};

}  // namespace

LabelledVoxels::LabelledVoxels(std::shared_ptr<const io::VoxelImage> image,
                               const std::vector<std::int64_t>& fluid, const VoxelRange& part)
    : VoxelPlanes(part.size()), image_(std::move(image)), fluid_(fluid), first_(part.first) {
  std::sort(fluid_.begin(), fluid_.end());
  for (std::size_t label = 0; label < solid_of_.size(); ++label) {
    solid_of_[label] = has_solid_label(static_cast<std::int64_t>(label)) ? 1 : 0;
  }
}

bool LabelledVoxels::has_solid_label(std::int64_t label) const {
  return !std::binary_search(fluid_.begin(), fluid_.end(), label);
}

void LabelledVoxels::plane(std::int64_t z, std::span<std::uint8_t> solid) const {
  PlaneLabels labels(*image_);
  labels.read(first_[2] + z);
  const auto [nx, ny, nz] = size();
  std::uint8_t* to = solid.data();
  std::int64_t last = 0;  // labels beyond the table are searched for only where they change
  std::uint8_t last_solid = solid_of_[0];
  for (std::int64_t y = 0; y < ny; ++y) {
    const std::int64_t* label = labels.row(first_[0], first_[1] + y);
    for (const std::int64_t* end = label + nx; label < end; ++label, ++to) {
      if (static_cast<std::uint64_t>(*label) < solid_of_.size()) {
        *to = solid_of_[static_cast<std::size_t>(*label)];
        continue;
      }
      if (*label != last) {
        last = *label;
        last_solid = has_solid_label(last) ? 1 : 0;
      }
      *to = last_solid;
    }
  }
}

bool LabelledVoxels::is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return has_solid_label(image_->label(first_[0] + x, first_[1] + y, first_[2] + z));
}

}  // namespace lbm::geometry
