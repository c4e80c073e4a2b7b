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
      axes_(picture_axes(normal)),
      means_(kind == ProjectionKind::mean && cells[static_cast<std::size_t>(normal)] > 1) {
  const auto columns =
      static_cast<std::size_t>(cells[axes_[0]]) * static_cast<std::size_t>(cells[axes_[1]]);
  if (means_) {
    sums_.resize(columns);
    counts_.resize(columns);
  } else {
    most_.assign(columns, no_value);
  }
}

void PictureValues::take(float value, Column& column) const {
  if (std::isnan(value)) return;
  if (!means_) {
    if (!(column.most >= value)) column.most = value;
    return;
  }
  const float bounded = std::clamp(value, -largest_summed, largest_summed);
  column.sum += static_cast<std::int64_t>(bounded / unit);
  ++column.count;
}

void PictureValues::add(std::size_t number, const Column& column) {
  if (!means_) {
    if (!std::isnan(column.most) && !(most_[number] >= column.most)) most_[number] = column.most;
    return;
  }
  sums_[number] += column.sum;
  counts_[number] += column.count;
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

// Columns that several rows add to are gathered apart: threads would wait for each other where
// their columns share a line of the cache.
void PictureValues::add_cells(int z, std::span<const float> values, const Cells& cells) {
  const auto width = static_cast<std::size_t>(cells_[axes_[0]]);
  const auto row_of = [&](int y) {
    return values.subspan(static_cast<std::size_t>(y) * static_cast<std::size_t>(cells_[0]),
                          static_cast<std::size_t>(cells_[0]));
  };
  const auto from = static_cast<std::size_t>(cells.x[0]), to = static_cast<std::size_t>(cells.x[1]);
  const bool along_x = axes_[0] != 0, along_y = axes_[0] == 0 && axes_[1] == 2;
  std::vector<Column> columns(along_x ? 1 : to - from);
  for (int y = cells.y[0]; y < cells.y[1]; ++y) {
    const auto row = row_of(y);
    if (!along_y) std::fill(columns.begin(), columns.end(), Column{});
    for (std::size_t x = from; x < to; ++x) take(row[x], columns[along_x ? 0 : x - from]);
    if (along_y) continue;
    const std::size_t first =
        along_x ? static_cast<std::size_t>(z) * width + static_cast<std::size_t>(y)
                : static_cast<std::size_t>(y) * width + from;
    for (std::size_t i = 0; i < columns.size(); ++i) add(first + i, columns[i]);
  }
  for (std::size_t i = 0; along_y && i < columns.size(); ++i) {
    add(static_cast<std::size_t>(z) * width + from + i, columns[i]);
  }
}

PictureField PictureValues::field(double scale) const {
  PictureField field{cells_[axes_[0]], cells_[axes_[1]], {}};
  field.values.resize(means_ ? sums_.size() : most_.size(), no_value);
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
