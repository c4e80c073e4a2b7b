// SPDX-License-Identifier: Apache-2.0
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

FlatPlanes::FlatPlanes(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays)
    : points_(geometry.points), doubled_(arrays.size()), planes_(arrays.size()) {
  for (const ArrayInfo& array : arrays) components_.push_back(array.components);
}

std::span<const float> FlatPlanes::doubled(std::size_t array, std::span<const float> values) {
  const auto [columns, rows, planes] = points_;
  if (columns != 1 && rows != 1) return values;
  std::vector<float>& result = doubled_[array];
  result.clear();
  const auto row = static_cast<std::size_t>(columns) * static_cast<std::size_t>(components_[array]);
  for (std::size_t at = 0; at < values.size(); at += row) {
    const auto one = values.subspan(at, row);
    for (int copy = 0; copy < (columns == 1 ? 2 : 1) * (rows == 1 ? 2 : 1); ++copy)
      result.insert(result.end(), one.begin(), one.end());
  }
  return result;
}

std::span<const std::span<const float>> FlatPlanes::doubled(
    std::span<const std::span<const float>> arrays) {
  for (std::size_t i = 0; i < planes_.size(); ++i) planes_[i] = doubled(i, arrays[i]);
  return planes_;
}

}  // namespace lbm::io
