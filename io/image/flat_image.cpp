#include "io/image/flat_image.hpp"

namespace lbm::io {

ImageGeometry thickened(ImageGeometry geometry) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (geometry.points[d] != 1) continue;
    geometry.points[d] = 2;
    geometry.origin[d] -= geometry.spacing[d] / 2;
  }
  return geometry;
}

int copies_of_planes(const ImageGeometry& geometry) { return geometry.points[2] == 1 ? 2 : 1; }

FlatPlane::FlatPlane(const ImageGeometry& geometry, int components)
    : columns_(geometry.points[0]), rows_(geometry.points[1]), components_(components) {}

std::span<const float> FlatPlane::doubled(std::span<const float> values) {
  if (columns_ != 1 && rows_ != 1) return values;
  values_.clear();
  const auto row = static_cast<std::size_t>(columns_) * static_cast<std::size_t>(components_);
  for (std::size_t at = 0; at < values.size(); at += row) {
    const auto one = values.subspan(at, row);
    for (int copy = 0; copy < (columns_ == 1 ? 2 : 1) * (rows_ == 1 ? 2 : 1); ++copy)
      values_.insert(values_.end(), one.begin(), one.end());
  }
  return values_;
}

FlatPlanes::FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
    : copies_(copies_of_planes(geometry)), planes_(arrays.size()) {
  for (const ArrayInfo& array : arrays) flat_.emplace_back(geometry, array.components);
}

std::span<const std::span<const float>> FlatPlanes::doubled(
    std::span<const std::span<const float>> arrays) {
  for (std::size_t i = 0; i < flat_.size(); ++i) planes_[i] = flat_[i].doubled(arrays[i]);
  return planes_;
}

}  // namespace lbm::io
