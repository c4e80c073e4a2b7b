// SPDX-License-Identifier: Apache-2.0
#include "cases/case/tables/velocity_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/scalars.hpp"
#include "cases/case/tables/number_table.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using Rows = std::vector<std::vector<double>>;

std::vector<double> distinct(const Rows& rows, std::size_t at) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row[at]);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Interval of `grid` that contains x, and the relative position in it.
std::pair<std::size_t, double> place(const std::vector<double>& grid, double x) {
  if (grid.size() == 1 || x <= grid.front()) return {0, 0.0};
  if (x >= grid.back()) return {grid.size() - 2, 1.0};
  const auto next = std::upper_bound(grid.begin(), grid.end(), x);
  const auto i = static_cast<std::size_t>(next - grid.begin()) - 1;
  return {i, (x - grid[i]) / (grid[i + 1] - grid[i])};
}

}  // namespace

VelocityTable::VelocityTable(const std::string& path) {
  const Rows rows =
      read_number_table(path, 5, "velocities", "five numbers: two coordinates, three velocities");
  a_ = distinct(rows, 0);
  b_ = distinct(rows, 1);
  const auto refuse = [&] {
    throw UsageError(fmt::format(
        "{}: found {} points with {} x {} different coordinates, must be a regular grid with one "
        "line for each point",
        one_line(path), rows.size(), a_.size(), b_.size()));
  };
  // Before memory is taken: n scattered points would be a grid of n^2.
  if (rows.size() != a_.size() * b_.size()) refuse();
  std::vector<bool> filled(rows.size());
  velocity_.resize(filled.size());
  for (const auto& row : rows) {
    const auto index = [](const std::vector<double>& grid, double x) {
      return static_cast<std::size_t>(std::lower_bound(grid.begin(), grid.end(), x) - grid.begin());
    };
    const std::size_t at = index(b_, row[1]) * a_.size() + index(a_, row[0]);
    velocity_[at] = {row[2], row[3], row[4]};
    filled[at] = true;
  }
  if (std::find(filled.begin(), filled.end(), false) != filled.end()) refuse();
}

Vec3 VelocityTable::fastest() const {
  const auto speed = [](const Vec3& u) { return std::hypot(u[0], u[1], u[2]); };
  return *std::max_element(velocity_.begin(), velocity_.end(),
                           [&](const Vec3& u, const Vec3& v) { return speed(u) < speed(v); });
}

Vec2 VelocityTable::range(std::size_t axis) const {
  const std::vector<double>& grid = axis == 0 ? a_ : b_;
  return {grid.front(), grid.back()};
}

Vec3 VelocityTable::at(double a, double b) const {
  const auto [i, s] = place(a_, a);
  const auto [j, t] = place(b_, b);
  const std::size_t right = a_.size() > 1 ? 1 : 0, up = b_.size() > 1 ? a_.size() : 0;
  const std::size_t corner = j * a_.size() + i;
  Vec3 u{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double low = (1 - s) * velocity_[corner][c] + s * velocity_[corner + right][c];
    const double high = (1 - s) * velocity_[corner + up][c] + s * velocity_[corner + up + right][c];
    u[c] = (1 - t) * low + t * high;
  }
  return u;
}

}  // namespace lbm::cases
