// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/labelled_voxels.hpp"

#include <algorithm>

namespace lbm::geometry {
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
  const auto& whole = image_->format().voxels;
  std::vector<std::int64_t> labels(static_cast<std::size_t>(whole[0] * whole[1]));
  image_->plane(first_[2] + z, labels);
  const auto [nx, ny, nz] = size();
  std::uint8_t* to = solid.data();
  for (std::int64_t y = 0; y < ny; ++y) {
    const std::int64_t* label = labels.data() + (first_[1] + y) * whole[0] + first_[0];
    for (const std::int64_t* end = label + nx; label < end; ++label, ++to) {
      *to = static_cast<std::uint64_t>(*label) < solid_of_.size()
                ? solid_of_[static_cast<std::size_t>(*label)]
                : static_cast<std::uint8_t>(has_solid_label(*label));
    }
  }
}

bool LabelledVoxels::is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return has_solid_label(image_->label(first_[0] + x, first_[1] + y, first_[2] + z));
}

}  // namespace lbm::geometry
