// SPDX-License-Identifier: Apache-2.0

// Values of scalars at the faces of the box by formulas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cases/case/case_location.hpp"
#include "cases/case/model/box_formulas.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/schema/keys.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::array<char, 2> axes_of(const FaceGrid& grid) { return {"xyz"[grid.a], "xyz"[grid.b]}; }

formula::Formula parse(const Case& lbm_case, const Derived& derived, std::size_t face,
                       const std::array<char, 2>& axes, const std::string& key,
                       const std::string& text) {
  formula::Names names =
      formula_names(lbm_case, derived, {std::string(1, axes[0]), std::string(1, axes[1]), "t"});
  names.elsewhere.emplace_back(
      std::string(1, "xyz"[face / 2]),
      fmt::format("all of the face has the same, must be {} and {}, or t", axes[0], axes[1]));
  return parse_formula(key, "", text, names);
}

}  // namespace

ScalarFaceFormula::ScalarFaceFormula(const Case& lbm_case, const Derived& derived,
                                     const ScalarKeys& scalar, std::size_t face)
    : axes_(axes_of(FaceGrid(lbm_case, static_cast<int>(face)))),
      steps_(derived.steps),
      key_(where(lbm_case,
                 "scalars." + scalar.name + ".boundaries." + face_names()[face] + ".value")),
      formula_(parse(lbm_case, derived, face, axes_, key_, scalar.faces[face].formula)) {
  if (by_place() && by_time()) {
    throw UsageError(key_ + ": found a formula of the place and of t, must be of one of them");
  }
  const FaceGrid grid(lbm_case, static_cast<int>(face));
  cells_ = {grid.na, grid.nb};
  const Units units = make_units(lbm_case, derived);
  cell_ = units.length;
  step_ = units.time;
  const bool flux = scalar.faces[face].kind == ScalarBoundary::flux;
  reference_ = flux ? 0 : scalar.reference;
  unit_ = scalar.difference * (flux ? units.velocity : 1);
  constexpr double any = std::numeric_limits<double>::max();
  range_ = flux ? std::array{-any, any} : scalar.bounds.value_or(std::array{-any, any});
}

double ScalarFaceFormula::at(double step) const {
  const double values[]{0, 0, step * step_};
  return (formula::Formula::Evaluator(formula_)(values) - reference_) / unit_;
}

double ScalarFaceFormula::checked(formula::Formula::Evaluator& evaluator, int i, int j,
                                  double step) const {
  const double values[]{(i + 0.5) * cell_, (j + 0.5) * cell_, step * step_};
  const double value = evaluator(values);
  if (value >= range_[0] && value <= range_[1]) return (value - reference_) / unit_;
  const std::string place =
      by_place() ? fmt::format("{} = {:.6g}, {} = {:.6g}", axes_[0], values[0], axes_[1], values[1])
                 : fmt::format("t = {:.6g}", values[2]);
  if (!std::isfinite(value)) refuse_value(key_, "it", value, place);
  throw UsageError(fmt::format("{}: gives {:.6g} at {}, must be within [{:.6g}, {:.6g}] (bounds)",
                               key_, value, place, range_[0], range_[1]));
}

std::vector<float> ScalarFaceFormula::values(const TimeLimit& limit) const {
  formula::Formula::Evaluator evaluator(formula_);
  std::vector<float> all;
  all.reserve(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]));
  for (int j = 0; j < cells_[1]; ++j) {
    limit.check();
    for (int i = 0; i < cells_[0]; ++i) {
      all.push_back(static_cast<float>(checked(evaluator, i, j, 0)));
    }
  }
  return all;
}

std::vector<double> ScalarFaceFormula::sample() const {
  formula::Formula::Evaluator evaluator(formula_);
  std::vector<double> all;
  if (by_place()) {
    for (const int j : sample_of(cells_[1])) {
      for (const int i : sample_of(cells_[0])) all.push_back(checked(evaluator, i, j, 0));
    }
    return all;
  }
  const auto count = static_cast<int>(std::min<std::int64_t>(steps_ + 1, 1000));
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double step = static_cast<double>(steps_) * i / std::max(count - 1, 1);
    all.push_back(checked(evaluator, 0, 0, std::round(step)));
  }
  return all;
}

std::vector<std::vector<float>> scalar_values_of(const Case& lbm_case, const Derived& derived,
                                                 std::size_t face, const TimeLimit& limit) {
  std::vector<std::vector<float>> all(lbm_case.scalars.size());
  bool any = false;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const ScalarKeys& scalar = lbm_case.scalars[s];
    if (scalar.faces[face].formula.empty()) continue;
    const ScalarFaceFormula formula(lbm_case, derived, scalar, face);
    if (!formula.by_place()) continue;
    all[s] = formula.values(limit);
    any = true;
  }
  if (!any) all.clear();
  return all;
}

}  // namespace lbm::cases
