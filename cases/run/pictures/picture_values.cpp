// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/picture_values.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lbm::cases {
namespace {

constexpr int sum_bits = 60;
constexpr float largest_summed = 1e12F;  // of a flow that diverges; 2^17 of them fit into a sum
constexpr float none = std::numeric_limits<float>::quiet_NaN();

}  // namespace

std::array<std::size_t, 2> picture_axes(int normal) {
  if (normal == 0) return {1, 2};
  if (normal == 1) return {0, 2};
  return {0, 1};
}

PictureValues::PictureValues(const std::array<int, 3>& cells, int normal, ProjectionKind kind)
    : cells_(cells),
      axes_(picture_axes(normal)),
      means_(kind == ProjectionKind::mean && cells[static_cast<std::size_t>(normal)] > 1) {
  const auto columns =
      static_cast<std::size_t>(cells[axes_[0]]) * static_cast<std::size_t>(cells[axes_[1]]);
  if (means_) {
    sums_.resize(columns);
    counts_.resize(columns);
  } else {
    most_.assign(columns, none);
  }
}

void PictureValues::add(std::size_t column, float value) {
  if (!means_) {
    if (!(most_[column] >= value)) most_[column] = value;
    return;
  }
  const float bounded = std::clamp(value, -largest_summed, largest_summed);
  sums_[column] += static_cast<Sum>(std::ldexp(double{bounded}, sum_bits));
  ++counts_[column];
}

void PictureValues::add_plane(int z, std::span<const float> values, std::span<const float> solid) {
  const auto width = static_cast<std::size_t>(cells_[axes_[0]]);
  std::size_t at = 0;
  for (int y = 0; y < cells_[1]; ++y) {
    for (int x = 0; x < cells_[0]; ++x, ++at) {
      if (solid[at] != 0 || std::isnan(values[at])) continue;
      const std::array<int, 3> cell{x, y, z};
      add(static_cast<std::size_t>(cell[axes_[1]]) * width +
              static_cast<std::size_t>(cell[axes_[0]]),
          values[at]);
    }
  }
  ++planes_;
}

PictureField PictureValues::field(double scale) const {
  PictureField field{cells_[axes_[0]], cells_[axes_[1]], {}};
  field.values.resize(means_ ? sums_.size() : most_.size(), none);
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    if (!means_) {
      field.values[i] = static_cast<float>(most_[i] * scale);
    } else if (counts_[i] > 0) {
      const double sum = std::ldexp(static_cast<double>(sums_[i]), -sum_bits);
      field.values[i] = static_cast<float>(sum / counts_[i] * scale);
    }
  }
  return field;
}

}  // namespace lbm::cases
