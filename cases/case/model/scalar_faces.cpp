// SPDX-License-Identifier: Apache-2.0

// Values of scalars at the faces of the box by formulas.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/box_formulas.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_scalars.hpp"
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
      fmt::format("all of the face has the same, must be {}, {} or t", axes[0], axes[1]));
  return parse_formula(key, "", text, names);
}

}  // namespace

ScalarFaceFormula::ScalarFaceFormula(const Case& lbm_case, const Derived& derived,
                                     const ScalarKeys& scalar, std::size_t face,
                                     const ScalarPart& part)
    : axes_(axes_of(FaceGrid(lbm_case, static_cast<int>(face)))),
      steps_(derived.steps),
      key_(where(lbm_case, "scalars." + scalar.name + "." + part.key)),
      formula_(parse(lbm_case, derived, face, axes_, key_, part.formula)) {
  const FaceGrid grid(lbm_case, static_cast<int>(face));
  cells_ = {grid.na, grid.nb};
  const Units units = make_units(lbm_case, derived);
  cell_ = units.length;
  step_ = units.time;
  const bool flux = part.kind == ScalarBoundary::flux;
  reference_ = flux ? 0 : scalar.reference;
  unit_ = scalar.difference * (flux ? units.velocity : 1);
  constexpr double any = std::numeric_limits<double>::max();
  range_ = flux ? std::array{-any, any} : scalar.bounds.value_or(std::array{-any, any});
  most_ = flux ? any : most_stored_scalar(lbm_case.lattice.storage);
}

std::array<double, 3> ScalarFaceFormula::variables(int i, int j, double step) const {
  return {(i + 0.5) * cell_, (j + 0.5) * cell_, step * step_};
}

double ScalarFaceFormula::at(double step) const {
  Evaluator evaluator(formula_);
  return (evaluator(variables(0, 0, step)) - reference_) / unit_;
}

double ScalarFaceFormula::checked(Evaluator& evaluator, int i, int j, double step) const {
  const auto values = variables(i, j, step);
  const double value = evaluator(values);
  const double stored = (value - reference_) / unit_;
  const bool within = value >= range_[0] && value <= range_[1];
  if (within && std::abs(stored) <= most_) return stored;
  std::string place;
  if (by_place()) {
    place = fmt::format("{} = {:.6g}, {} = {:.6g}", axes_[0], values[0], axes_[1], values[1]);
  }
  if (by_time() || !by_place()) {
    place += fmt::format("{}t = {:.6g}", by_place() ? ", " : "", values[2]);
  }
  if (!std::isfinite(value)) refuse_value(key_, "it", value, place);
  if (within) {
    throw UsageError(
        fmt::format("{}: gives {:.6g} at {}, must be at most {} times the difference "
                    "from the reference: raise the difference, or move the reference",
                    key_, value, place, most_));
  }
  throw UsageError(fmt::format("{}: gives {:.6g} at {}, must be within [{:.6g}, {:.6g}] (bounds)",
                               key_, value, place, range_[0], range_[1]));
}

std::vector<double> ScalarFaceFormula::sample() const {
  Evaluator evaluator(formula_);
  std::vector<int> rows{0}, columns{0};
  if (by_place()) {
    rows = sample_of(cells_[1]);
    columns = sample_of(cells_[0]);
  }
  const std::int64_t most = by_place() ? 20 : 1000;
  const auto times = by_time() ? static_cast<int>(std::min(steps_ + 1, most)) : 1;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(times) * rows.size() * columns.size());
  for (int time = 0; time < times; ++time) {
    const double step = std::round(static_cast<double>(steps_) * time / std::max(times - 1, 1));
    for (const int j : rows) {
      for (const int i : columns) all.push_back(checked(evaluator, i, j, step));
    }
  }
  return all;
}

ScalarFaceValues::ScalarFaceValues(const Case& lbm_case, const Derived& derived,
                                   const ScalarKeys& scalar, std::size_t face) {
  const FaceGrid grid(lbm_case, static_cast<int>(face));
  cells_ = {grid.na, grid.nb};
  bool any = false;
  for (const ScalarPart& part : parts_of_face(scalar, lbm_case, face)) {
    auto& formula = formulas_.emplace_back();
    if (part.formula.empty()) continue;
    formula.emplace(lbm_case, derived, scalar, face, part);
    if (!formula->by_place()) formula.reset();
    any = any || formula;
    change_ = change_ || (formula && formula->by_time());
  }
  if (!any) formulas_.clear();
  if (formulas_.size() > 1) patch_of_ = patch_of_cells(lbm_case, static_cast<int>(face));
}

void ScalarFaceValues::fill(double step, int row, std::span<float> values) const {
  std::vector<std::optional<ScalarFaceFormula::Evaluator>> evaluators(formulas_.size());
  for (std::size_t p = 0; p < formulas_.size(); ++p) {
    if (formulas_[p]) evaluators[p].emplace(formulas_[p]->evaluator());
  }
  for (int i = 0; i < cells_[0]; ++i) {
    const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(cells_[0]) +
                      static_cast<std::size_t>(i);
    const std::size_t part = patch_of_.empty() ? 0 : patch_of_[cell];
    const double value =
        formulas_[part] ? formulas_[part]->checked(*evaluators[part], i, row, step) : 0;
    values[static_cast<std::size_t>(i)] = static_cast<float>(value);
  }
}

std::vector<float> ScalarFaceValues::at_start(const TimeLimit& limit) const {
  const auto cells = static_cast<std::size_t>(cells_[0]);
  std::vector<float> all(cells * static_cast<std::size_t>(cells_[1]));
  for (int row = 0; row < cells_[1]; ++row) {
    limit.check();
    fill(0, row, std::span(all).subspan(static_cast<std::size_t>(row) * cells, cells));
  }
  return all;
}

double ScalarFaceValues::mean(double step) const {
  std::vector<float> values(static_cast<std::size_t>(cells_[0]));
  double sum = 0;
  for (int row = 0; row < cells_[1]; ++row) {
    fill(step, row, values);
    sum = std::accumulate(values.begin(), values.end(), sum);
  }
  return sum / cells_[0] / cells_[1];
}

std::vector<std::vector<float>> scalar_values_of(const Case& lbm_case, const Derived& derived,
                                                 std::size_t face, const TimeLimit& limit) {
  std::vector<std::vector<float>> all(lbm_case.scalars.size());
  bool any = false;
  for (std::size_t s = 0; s < all.size(); ++s) {
    const ScalarFaceValues values(lbm_case, derived, lbm_case.scalars[s], face);
    if (!values.any()) continue;
    all[s] = values.at_start(limit);
    any = true;
  }
  if (!any) all.clear();
  return all;
}

}  // namespace lbm::cases
