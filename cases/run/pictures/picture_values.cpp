// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/picture_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

constexpr double unit = 0x1p-38;      // of the integers in sums
constexpr float largest_summed = 16;  // 2^20 of them, as many cells as an axis has, fit into a sum
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::array<std::size_t, 2> picture_axes(int normal) {
  if (normal == 0) return {1, 2};
  if (normal == 1) return {0, 2};
  return {0, 1};
}

PictureValues::PictureValues(const std::array<int, 3>& cells, int normal, ProjectionKind kind)
    : cells_(cells),
      normal_(normal),
      means_(kind == ProjectionKind::mean && cells[static_cast<std::size_t>(normal)] > 1) {
  const auto [right, up] = picture_axes(normal);
  const auto columns = static_cast<std::size_t>(cells[right]) * static_cast<std::size_t>(cells[up]);
  sums_.resize(means_ ? columns : 0);
  counts_.resize(means_ ? columns : 0);
  most_.resize(means_ ? 0 : columns, no_value);
}

void PictureValues::take(float value, std::size_t column) {
  if (std::isnan(value)) return;
  if (means_) {
    const float bounded = std::clamp(value, -largest_summed, largest_summed);
    sums_[column] += static_cast<std::int64_t>(bounded / unit);
    ++counts_[column];
  } else if (!(most_[column] >= value)) {
    most_[column] = value;
  }
}

// Threads share the columns, whose cells in this plane lie `stride` apart.
void PictureValues::add_plane(int z, std::span<const float> values, int threads) {
  const auto nx = static_cast<std::size_t>(cells_[0]), ny = static_cast<std::size_t>(cells_[1]);
  const std::size_t columns = normal_ == 0 ? ny : normal_ == 1 ? nx : nx * ny;
  const std::size_t to_next = normal_ == 0 ? nx : 1, stride = normal_ == 1 ? nx : 1;
  const std::size_t first = normal_ == 2 ? 0 : static_cast<std::size_t>(z) * columns;
  in_parts(threads, columns, [&](std::size_t from, std::size_t to) {
    for (std::size_t cell = 0; cell < nx * ny / columns; ++cell) {
      for (std::size_t column = from; column < to; ++column) {
        take(values[column * to_next + cell * stride], first + column);
      }
    }
  });
  ++planes_;
}

std::vector<float> PictureValues::values() const {
  std::vector<float> values = most_;
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    const double mean = static_cast<double>(sums_[i]) * unit / counts_[i];
    values.push_back(counts_[i] > 0 ? static_cast<float>(mean) : no_value);
  }
  return values;
}

}  // namespace lbm::cases
