// SPDX-License-Identifier: Apache-2.0
#include "tests/verification/support/profile.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lbm::verification {
namespace {
constexpr int samples = 10000;  // so close that a smooth extremum is met to 8 digits
}  // namespace

std::vector<std::vector<double>> read_table(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<std::vector<double>> rows;
  bool names = true;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (names) {
      names = false;
      continue;
    }
    auto& row = rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) row.push_back(std::stod(field));
  }
  return rows;
}

Profile::Profile(double lower_wall, const std::vector<double>& cells, double upper_wall) {
  const auto n = static_cast<double>(cells.size());
  positions_.push_back(0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    positions_.push_back((static_cast<double>(i) + 0.5) / n);
  }
  positions_.push_back(1);
  values_.push_back(lower_wall);
  values_.insert(values_.end(), cells.begin(), cells.end());
  values_.push_back(upper_wall);
}

double Profile::operator()(double position) const {
  const auto above = std::upper_bound(positions_.begin(), positions_.end(), position);
  const auto last = static_cast<std::ptrdiff_t>(positions_.size()) - 4;
  const auto first =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(above - positions_.begin() - 2, 0, last));
  double value = 0;
  for (std::size_t i = first; i < first + 4; ++i) {
    double factor = 1;
    for (std::size_t j = first; j < first + 4; ++j) {
      if (j != i) factor *= (position - positions_[j]) / (positions_[i] - positions_[j]);
    }
    value += factor * values_[i];
  }
  return value;
}

double Profile::smallest() const {
  double found = values_.front();
  for (int i = 0; i <= samples; ++i) found = std::min(found, (*this)(1.0 * i / samples));
  return found;
}

double Profile::largest() const {
  double found = values_.front();
  for (int i = 0; i <= samples; ++i) found = std::max(found, (*this)(1.0 * i / samples));
  return found;
}

}  // namespace lbm::verification
