// SPDX-License-Identifier: Apache-2.0
#include "cases/case/tables/reference_profile.hpp"

#include <algorithm>
#include <cmath>

#include "cases/case/tables/number_table.hpp"

namespace lbm::cases {
namespace {

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

}  // namespace

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

}  // namespace lbm::cases
