// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/voxel_shape.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "cases/geometry/voxels/voxel_images.hpp"

namespace lbm::geometry {

VoxelShape::VoxelShape(VoxelPlanesPtr image, const Voxels& corner, const std::array<int, 3>& box)
    : image_(std::move(image)), corner_(corner), box_(box) {
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t all = image_->size()[a];
    first_[a] = std::clamp<std::int64_t>(-corner_[a], 0, all);
    last_[a] = std::clamp<std::int64_t>(box[a] - corner_[a], first_[a], all);
  }
}

Voxels VoxelShape::voxel_of(const Vec& p) const {
  Voxels voxel{};
  for (int a = 0; a < 3; ++a) voxel[a] = static_cast<std::int64_t>(std::floor(p[a])) - corner_[a];
  return voxel;
}

bool VoxelShape::has(int axis, std::int64_t index) const {
  return index >= first_[axis] && index < last_[axis];
}

int VoxelShape::side(const Vec& p) const {
  const auto v = voxel_of(p);
  if (!has(0, v[0]) || !has(1, v[1]) || !has(2, v[2])) return -1;
  return image_->is_solid(v[0], v[1], v[2]) ? 1 : -1;
}

void VoxelShape::crossings(const Segment& s, std::vector<double>& shares) const {
  for (int a = 0; a < 3; ++a) {
    const double from = s.from[a], length = s.to[a] - s.from[a];
    if (length == 0) continue;
    const double low = std::min(from, s.to[a]), high = std::max(from, s.to[a]);
    for (double plane = std::ceil(low); plane <= high; ++plane) {
      shares.push_back((plane - from) / length);
    }
  }
}

Box VoxelShape::bounds() const {
  Box box;
  for (int a = 0; a < 3; ++a) {
    box.low[a] = static_cast<double>(corner_[a] + first_[a]);
    box.high[a] = static_cast<double>(corner_[a] + last_[a]);
  }
  return box;
}

void VoxelShape::sides(const Window& w, std::span<std::int8_t> sides) const {
  std::fill(sides.begin(), sides.end(), std::int8_t{-1});
  const auto first = voxel_of(w.first);
  if (!has(2, first[2])) return;
  const std::int64_t nx = image_->size()[0];
  std::vector<std::uint8_t> solid(image_->plane_size());
  image_->plane(first[2], solid);
  const std::int64_t begin = std::max<std::int64_t>(first_[0] - first[0], 0),
                     end = std::min<std::int64_t>(last_[0] - first[0], w.nx);
  for (std::int64_t j = 0; j < w.ny; ++j) {
    if (!has(1, first[1] + j)) continue;
    const std::uint8_t* row = solid.data() + (first[1] + j) * nx + first[0];
    std::int8_t* side = &sides[static_cast<std::size_t>(j) * static_cast<std::size_t>(w.nx)];
    for (std::int64_t i = begin; i < end; ++i) {
      side[i] = row[i] != 0 ? std::int8_t{1} : std::int8_t{-1};
    }
  }
}

std::shared_ptr<const VoxelShape> VoxelShape::in_memory() const {
  Voxels size{}, corner{};
  for (int a = 0; a < 3; ++a) {
    size[a] = std::max<std::int64_t>(last_[a] - first_[a], 1);
    corner[a] = corner_[a] + first_[a];
  }
  auto packed = std::make_shared<PackedVoxels>(size);
  std::vector<std::uint8_t> whole(image_->plane_size()), part(packed->plane_size());
  for (std::int64_t z = first_[2]; z < last_[2]; ++z) {
    image_->plane(z, whole);
    for (std::int64_t y = first_[1]; y < last_[1]; ++y) {
      const auto row = whole.begin() + y * image_->size()[0];
      std::copy(row + first_[0], row + last_[0], part.begin() + (y - first_[1]) * size[0]);
    }
    packed->set_plane(z - first_[2], part);
  }
  return std::make_shared<VoxelShape>(std::move(packed), corner, box_);
}

}  // namespace lbm::geometry
