// SPDX-License-Identifier: Apache-2.0

// The image of voxels in a file, or a part of it, by the labels of its voxels.
#pragma once

#include <vector>

#include "cases/geometry/voxels/voxel_planes.hpp"
#include "io/voxels/voxel_image.hpp"

namespace lbm::geometry {

using io::VoxelRange;

class LabelledVoxels final : public VoxelPlanes {
 public:
  // fluid: labels of the voxels that are not solid. part: not empty, and within the image.
  LabelledVoxels(std::shared_ptr<const io::VoxelImage> image,
                 const std::vector<std::int64_t>& fluid, const VoxelRange& part);

  void plane(std::int64_t z, std::span<std::uint8_t> solid) const override;
  bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const override;

 private:
  bool has_solid_label(std::int64_t label) const;

  std::shared_ptr<const io::VoxelImage> image_;
  std::vector<std::int64_t> fluid_;         // sorted
  std::array<std::uint8_t, 256> solid_of_;  // labels from 0 to 255: the usual ones
  Voxels first_;
};

}  // namespace lbm::geometry
