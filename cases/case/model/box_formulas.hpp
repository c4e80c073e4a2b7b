// SPDX-License-Identifier: Apache-2.0

// Formulas of x, y and z at cell centres, in units of the case.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/case/model/case_formulas.hpp"

namespace lbm::cases {

// Up to 13 numbers from 0 to n - 1, both among them.
inline std::vector<int> sample_of(int n) {
  const int count = std::min(n, 13);
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    all.push_back(count == 1 ? 0 : static_cast<int>(std::int64_t{n - 1} * i / (count - 1)));
  }
  return all;
}

// Formulas of x, y and z, each of which is a number of all cells of the box.
class BoxFormulas {
 public:
  virtual ~BoxFormulas() = default;

  // axis: 0, 1, 2.
  bool uses(int axis) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [axis](const Part& p) { return p.formula.uses(axis); });
  }

  // Throws UsageError for a bad number among those of a few thousand cells.
  void check_sample() const {
    visit_sample([](const Values&) {});
  }

 protected:
  using Values = std::array<double, 4>;  // of a cell, in the order of the parts

  // The numbers of these cells, checked.
  template <class Visit>
  void visit_sample(const Visit& visit) const {
    for (const int z : sample_of(cells_[2])) {
      for (const int y : sample_of(cells_[1])) {
        std::vector<formula::Formula::Evaluator> evaluators;
        for (const Part& part : parts_) evaluators.emplace_back(part.formula);
        for (const int x : sample_of(cells_[0])) {
          const Vec3 at{(x + 0.5) * cell_, (y + 0.5) * cell_, (z + 0.5) * cell_};
          Values values{};
          for (std::size_t p = 0; p < parts_.size(); ++p) {
            values[p] = evaluators[p](at) * parts_[p].factor / parts_[p].unit;
          }
          check(values, at);
          visit(values);
        }
      }
    }
  }

  struct Part {
    formula::Formula formula;
    std::string key, name;        // key: with file and line
    double factor = 1, unit = 1;  // the number is value * factor / unit
  };

  BoxFormulas(const Case& lbm_case, const Derived& derived)
      : cells_(lbm_case.grid.cells), cell_(make_units(lbm_case, derived).length) {}

  // The numbers of row y of plane z, checked.
  void fill_row(int y, int z, const std::array<std::span<double>, 4>& row) const {
    Vec3 at{0, (y + 0.5) * cell_, (z + 0.5) * cell_};
    const auto nx = static_cast<std::size_t>(cells_[0]);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Part& part = parts_[p];
      formula::Formula::Evaluator value(part.formula);
      const bool changes = part.formula.uses(0);
      for (std::size_t x = 0; x < nx; ++x) {
        at[0] = (static_cast<double>(x) + 0.5) * cell_;
        row[p][x] = x > 0 && !changes ? row[p][0] : value(at) * part.factor / part.unit;
      }
    }
    for (std::size_t x = 0; x < nx; ++x) {
      Values values{};
      for (std::size_t p = 0; p < parts_.size(); ++p) values[p] = row[p][x];
      at[0] = (static_cast<double>(x) + 0.5) * cell_;
      check(values, at);
    }
  }

  std::array<int, 3> cells_;
  std::vector<Part> parts_;

 private:
  // True if the numbers are within the limits; else refuse() is called for them, if all are finite.
  virtual bool is_good(const Values& values) const = 0;
  [[noreturn]] virtual void refuse(const Values& values, const std::string& place) const = 0;

  void check(const Values& values, const Vec3& at) const {
    if (is_good(values)) return;
    const std::string place =
        fmt::format("x = {:.6g}, y = {:.6g}, z = {:.6g}", at[0], at[1], at[2]);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      if (!std::isfinite(values[p])) refuse_value(parts_[p].key, parts_[p].name, values[p], place);
    }
    refuse(values, place);
  }

  double cell_;  // in units of the case
};

}  // namespace lbm::cases
