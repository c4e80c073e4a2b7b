// SPDX-License-Identifier: Apache-2.0
#include "cases/case/tables/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto comma = line.find(',');
    std::string_view field = line.substr(0, comma);
    const auto first = field.find_first_not_of(" \t\r");
    const auto last = field.find_last_not_of(" \t\r");
    fields.push_back(first == std::string_view::npos ? "" : field.substr(first, last - first + 1));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<double>> numbers_of(std::string_view line, std::size_t columns) {
  const auto fields = fields_of(line);
  if (fields.size() != columns) return std::nullopt;
  std::vector<double> row;
  for (const std::string_view field : fields) {
    const auto value = parse_number(field);
    if (!value) return std::nullopt;
    row.push_back(*value);
  }
  return row;
}

// A typing error in the first line of numbers must not make it a line of names.
bool are_names(std::string_view line) {
  bool any = false;
  for (const std::string_view field : fields_of(line)) {
    if (!field.empty() && std::string_view("0123456789+-.").find(field[0]) != std::string::npos) {
      return false;
    }
    any = any || !field.empty();
  }
  return any;
}

// Spreadsheets write one.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

double value_at(const std::vector<double>& values, double in_cells) {
  if (values.size() == 1) return values[0];
  const double most = static_cast<double>(values.size() - 2);
  const double left = std::clamp(std::floor(in_cells - 0.5), 0.0, most);
  const auto i = static_cast<std::size_t>(left);
  const double share = in_cells - 0.5 - left;
  return (1 - share) * values[i] + share * values[i + 1];
}

// Rows with the smallest and largest value of a column.
auto extremes(const std::vector<std::vector<double>>& rows, std::size_t column) {
  return std::minmax_element(rows.begin(), rows.end(), [column](const auto& a, const auto& b) {
    return a[column] < b[column];
  });
}

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

std::vector<std::vector<double>> read_number_table(const std::string& path, std::size_t columns,
                                                   const std::string& what,
                                                   const std::string& line_rule) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("{}: cannot read the table of {}", one_line(path), what));
  std::vector<std::vector<double>> rows;
  int number = 0;
  bool names_allowed = true;
  for (std::string line; std::getline(file, line);) {
    if (++number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.empty() || line[0] == '#' || line == "\r") continue;
    auto row = numbers_of(line, columns);
    if (!row && !(names_allowed && are_names(line))) {
      throw UsageError(fmt::format("{}:{}: found \"{}\", must be {}", one_line(path), number,
                                   one_line(line, 60), line_rule));
    }
    names_allowed = false;
    if (row) rows.push_back(std::move(*row));
  }
  if (rows.empty()) {
    throw UsageError(fmt::format("{}: missing: lines of {}", one_line(path), line_rule));
  }
  return rows;
}

ReferenceProfile::ReferenceProfile(const std::string& path)
    : rows_(read_number_table(path, 2, "reference values", "two numbers: coordinate and value")) {
  const auto [first, last] = extremes(rows_, 0);
  first_position_ = (*first)[0];
  last_position_ = (*last)[0];
  const auto [least, largest] = extremes(rows_, 1);
  range_ = (*largest)[1] - (*least)[1];
}

ReferenceProfile::Deviation ReferenceProfile::largest_deviation(const std::vector<double>& values,
                                                                double cell) const {
  Deviation worst;
  double largest = -1;
  for (const auto& row : rows_) {
    const double value = value_at(values, row[0] / cell);
    const double deviation = std::abs(value - row[1]);
    if (deviation <= largest) continue;
    worst = {row[0], value, row[1]};
    largest = deviation;
    if (std::isnan(deviation)) break;
  }
  return worst;
}

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
