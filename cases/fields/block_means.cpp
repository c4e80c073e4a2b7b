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

BlockMeans::Sums BlockMeans::zeros() const {
  const auto blocks = static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_);
  Sums sums;
  for (const int width : components_) sums.emplace_back(blocks * static_cast<std::size_t>(width));
  sums.emplace_back(blocks);
  return sums;
}

const std::vector<std::vector<float>>* BlockMeans::add(
    int z, std::span<const std::span<const float>> arrays, std::span<const float> solid) {
  if (z / edge_ >= nz_) return nullptr;
  Layer& layer = layers_[z / edge_];
  layer.planes.resize(static_cast<std::size_t>(edge_));
  Sums& plane = layer.planes[static_cast<std::size_t>(z % edge_)] = zeros();
  for (int y = 0; y < ny_ * edge_; ++y) {
    for (int x = 0; x < nx_ * edge_; ++x) {
      const auto cell = static_cast<std::size_t>(y * std::ptrdiff_t{row_} + x);
      const auto block = static_cast<std::size_t>(y / edge_ * std::ptrdiff_t{nx_} + x / edge_);
      if (solid[cell] != 0) continue;
      plane.back()[block] += 1;
      for (std::size_t a = 0; a < arrays.size(); ++a) {
        const auto width = static_cast<std::size_t>(components_[a]);
        for (std::size_t c = 0; c < width; ++c) {
          plane[a][block * width + c] += double{arrays[a][cell * width + c]};
        }
      }
    }
  }
  if (++layer.done < edge_) return nullptr;
  Sums cubes = zeros();
  for (const Sums& part : layer.planes) {
    for (std::size_t a = 0; a < cubes.size(); ++a) {
      std::transform(part[a].begin(), part[a].end(), cubes[a].begin(), cubes[a].begin(),
                     std::plus<>());
    }
  }
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    const auto width = static_cast<std::size_t>(components_[a]);
    means_[a].resize(cubes[a].size());
    for (std::size_t i = 0; i < means_[a].size(); ++i) {
      means_[a][i] = static_cast<float>(cubes[a][i] / std::max(1.0, cubes.back()[i / width]));
    }
  }
  layers_.erase(z / edge_);
  return &means_;
}

}  // namespace lbm::fields
