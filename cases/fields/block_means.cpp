// SPDX-License-Identifier: Apache-2.0
#include "cases/fields/block_means.hpp"

#include <algorithm>
#include <functional>

namespace lbm::fields {

BlockMeans::BlockMeans(int nx, int ny, int nz, int edge, std::vector<int> components)
    : row_(nx),
      nx_(nx / edge),
      ny_(ny / edge),
      nz_(nz / edge),
      edge_(edge),
      components_(std::move(components)),
      means_(components_.size()) {}

void BlockMeans::add_array(std::size_t array, std::span<const float> values,
                           std::span<const float> solid, Sums& plane) const {
  const auto width = static_cast<std::size_t>(components_[array]);
  std::vector<double>& sums = plane.arrays[array];
  for (int y = 0; y < ny_ * edge_; ++y) {
    for (int x = 0; x < nx_ * edge_; ++x) {
      const auto cell = static_cast<std::size_t>(y) * static_cast<std::size_t>(row_) +
                        static_cast<std::size_t>(x);
      if (solid[cell] != 0) continue;
      const auto block = static_cast<std::size_t>(y / edge_) * static_cast<std::size_t>(nx_) +
                         static_cast<std::size_t>(x / edge_);
      if (array == 0) ++plane.counts[block];
      for (std::size_t c = 0; c < width; ++c) {
        sums[block * width + c] += double{values[cell * width + c]};
      }
    }
  }
}

BlockMeans::Sums BlockMeans::zeros() const {
  const auto blocks = static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_);
  Sums sums{{}, std::vector<int>(blocks)};
  for (const int width : components_) {
    sums.arrays.emplace_back(blocks * static_cast<std::size_t>(width));
  }
  return sums;
}

const std::vector<std::vector<float>>* BlockMeans::add(
    int z, std::span<const std::span<const float>> arrays, std::span<const float> solid) {
  if (z / edge_ >= nz_) return nullptr;
  Layer& layer = layers_[z / edge_];
  layer.planes.resize(static_cast<std::size_t>(edge_));
  Sums& plane = layer.planes[static_cast<std::size_t>(z % edge_)];
  plane = zeros();
  for (std::size_t a = 0; a < arrays.size(); ++a) add_array(a, arrays[a], solid, plane);
  if (++layer.done < edge_) return nullptr;
  Sums cubes = zeros();
  const auto add = [](const auto& from, auto& to) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
  };
  for (const Sums& part : layer.planes) {
    add(part.counts, cubes.counts);
    for (std::size_t a = 0; a < arrays.size(); ++a) add(part.arrays[a], cubes.arrays[a]);
  }
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const auto width = static_cast<std::size_t>(components_[a]);
    means_[a].resize(cubes.arrays[a].size());
    for (std::size_t i = 0; i < means_[a].size(); ++i) {
      means_[a][i] = static_cast<float>(cubes.arrays[a][i] / std::max(1, cubes.counts[i / width]));
    }
  }
  layers_.erase(z / edge_);
  return &means_;
}

}  // namespace lbm::fields
