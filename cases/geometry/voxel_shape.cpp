#include "cases/geometry/voxel_shape.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::geometry {

VoxelShape::VoxelShape(std::shared_ptr<const io::VoxelImage> image, std::vector<std::int64_t> fluid,
                       std::array<std::int64_t, 3> corner, const std::array<int, 3>& box)
    : image_(std::move(image)), fluid_(std::move(fluid)), corner_(corner) {
  std::sort(fluid_.begin(), fluid_.end());
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t all = image_->format().voxels[a];
    first_[a] = std::clamp<std::int64_t>(-corner_[a], 0, all);
    last_[a] = std::clamp<std::int64_t>(box[a] - corner_[a], first_[a], all);
  }
}

bool VoxelShape::is_solid(std::int64_t label) const {
  return !std::binary_search(fluid_.begin(), fluid_.end(), label);
}

std::array<std::int64_t, 3> VoxelShape::voxel_of(const Vec& p) const {
  std::array<std::int64_t, 3> voxel{};
  for (int a = 0; a < 3; ++a) voxel[a] = static_cast<std::int64_t>(std::floor(p[a])) - corner_[a];
  return voxel;
}

bool VoxelShape::has(int axis, std::int64_t index) const {
  return index >= first_[axis] && index < last_[axis];
}

int VoxelShape::side(const Vec& p) const {
  const auto v = voxel_of(p);
  if (!has(0, v[0]) || !has(1, v[1]) || !has(2, v[2])) return -1;
  return is_solid(image_->label(v[0], v[1], v[2])) ? 1 : -1;
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
  const auto& n = image_->format().voxels;
  std::vector<std::int64_t> labels(static_cast<std::size_t>(n[0] * n[1]));
  image_->plane(first[2], labels);
  std::int64_t last = labels.front();
  bool solid = is_solid(last);
  for (int j = 0; j < w.ny; ++j) {
    if (!has(1, first[1] + j)) continue;
    const std::int64_t* row = &labels[static_cast<std::size_t>((first[1] + j) * n[0])];
    std::int8_t* side = &sides[static_cast<std::size_t>(j) * static_cast<std::size_t>(w.nx)];
    for (int i = 0; i < w.nx; ++i) {
      if (!has(0, first[0] + i)) continue;
      const std::int64_t label = row[first[0] + i];
      if (label != last) {
        last = label;
        solid = is_solid(label);
      }
      side[i] = solid ? std::int8_t{1} : std::int8_t{-1};
    }
  }
}

}  // namespace lbm::geometry
