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
  sums_[column] += static_cast<std::int64_t>(bounded / unit);
  ++counts_[column];
}

void PictureValues::add_plane(int z, std::span<const float> values, int threads) {
  // Along x or y, whichever has columns of its own.
  const std::size_t split = axes_[0] == 0 && axes_[1] == 2 ? 0 : 1;
  const auto add_part = [&](int from, int to) {
    Cells cells{{0, cells_[0]}, {0, cells_[1]}};
    (split == 0 ? cells.x : cells.y) = {from, to};
    add_cells(z, values, cells);
  };
  in_parts(threads, cells_[split], add_part);
  ++planes_;
}

void PictureValues::add_cells(int z, std::span<const float> values, const Cells& cells) {
  // Along x the columns of a row of cells are neighbours, or the same one.
  const auto width = static_cast<std::size_t>(cells_[axes_[0]]);
  const bool same = axes_[0] != 0, rows_are_planes = axes_[1] == 2;
  for (int y = cells.y[0]; y < cells.y[1]; ++y) {
    const int row = rows_are_planes ? z : y;
    const std::size_t first =
        static_cast<std::size_t>(row) * width + (same ? static_cast<std::size_t>(y) : 0);
    const float* const of_row =
        &values[static_cast<std::size_t>(y) * static_cast<std::size_t>(cells_[0])];
    for (int x = cells.x[0]; x < cells.x[1]; ++x) {
      if (std::isnan(of_row[x])) continue;
      add(first + (same ? 0 : static_cast<std::size_t>(x)), of_row[x]);
    }
  }
}

PictureField PictureValues::field(double scale) const {
  PictureField field{cells_[axes_[0]], cells_[axes_[1]], {}};
  field.values.resize(means_ ? sums_.size() : most_.size(), none);
  for (std::size_t i = 0; i < field.values.size(); ++i) {
    if (!means_) {
      field.values[i] = static_cast<float>(most_[i] * scale);
    } else if (counts_[i] > 0) {
      const double sum = static_cast<double>(sums_[i]) * unit;
      field.values[i] = static_cast<float>(sum / counts_[i] * scale);
    }
  }
  return field;
}

}  // namespace lbm::cases
