// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/force_formulas.hpp"

#include <algorithm>
#include <memory>

#include "cases/case/case_location.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/formula_values.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {

AccelerationFormulas::AccelerationFormulas(const Case& lbm_case, const Derived& derived)
    : cells_(lbm_case.grid.cells), key_(where(lbm_case, "force.acceleration")) {
  const Units units = make_units(lbm_case, derived);
  cell_ = units.length;
  unit_ = units.acceleration;
  formula::Names names = formula_names(lbm_case, derived, {"x", "y", "z"});
  names.elsewhere.emplace_back(
      "t", "must be a formula of the place; that of t is force.acceleration_factor");
  components_ = acceleration_formulas(lbm_case, names);
  const std::string& factor = lbm_case.force.acceleration_factor;
  const double largest =
      factor.empty() ? 1
                     : TimeFormula(lbm_case, derived, "force.acceleration_factor", factor, 1)
                           .sampled_size(derived.steps);
  largest_mach_ = lbm_case.run.max_mach;
  // The solver stores floats, also where the factor is zero.
  constexpr double most_of_floats = 1e30;
  most_ = std::min(most_of_floats, largest_mach_ / (std::sqrt(3.0) * largest));
}

bool AccelerationFormulas::uses_z() const {
  return std::any_of(components_.begin(), components_.end(),
                     [](const formula::Formula& f) { return f.uses(2); });
}

Vec3 AccelerationFormulas::at(formula_values::Evaluators& evaluators, int x, int y, int z) const {
  const double at[]{(x + 0.5) * cell_, (y + 0.5) * cell_, (z + 0.5) * cell_};
  const auto place = [&] {
    return fmt::format("x = {:.6g}, y = {:.6g}, z = {:.6g}", at[0], at[1], at[2]);
  };
  Vec3 a;
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = evaluators[i](at);
    a[i] = value / unit_;
    if (!std::isfinite(a[i])) {
      formula_values::refuse_value(key_, fmt::format("a{}", "xyz"[i]), value, place());
    }
  }
  const double size = std::hypot(a[0], a[1], a[2]);
  if (size <= most_) return a;
  formula_values::refuse(
      key_,
      fmt::format("gives {:.4g} cells/step^2 at {}, which changes the flow by Mach {:.3g} in a "
                  "step, must be at most Mach {} (run.max_mach) everywhere: lower it, or "
                  "fluid.lattice_velocity",
                  size, place(), size / most_ * largest_mach_, largest_mach_));
}

void AccelerationFormulas::fill(int z, std::span<float> values) const {
  const auto nx = static_cast<std::size_t>(cells_[0]), cells = values.size() / 3;
  FirstError error;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < cells_[1]; ++y) {
    if (error.found()) continue;
    error.guard([&] {
      formula_values::Evaluators evaluators(components_.begin(), components_.end());
      for (std::size_t x = 0; x < nx; ++x) {
        const Vec3 a = at(evaluators, static_cast<int>(x), y, z);
        for (std::size_t i = 0; i < 3; ++i) {
          values[i * cells + static_cast<std::size_t>(y) * nx + x] = static_cast<float>(a[i]);
        }
      }
    });
  }
  error.rethrow();
}

void AccelerationFormulas::check_sample() const {
  formula_values::Evaluators evaluators(components_.begin(), components_.end());
  for (const int z : formula_values::sample(cells_[2])) {
    for (const int y : formula_values::sample(cells_[1])) {
      for (const int x : formula_values::sample(cells_[0])) (void)at(evaluators, x, y, z);
    }
  }
}

TimeFactor acceleration_factor(const Case& lbm_case, const Derived& derived) {
  const std::string& text = lbm_case.force.acceleration_factor;
  if (text.empty()) return {};
  return {TimeFactor::Kind::function, 0,
          std::make_shared<TimeFormula>(lbm_case, derived, "force.acceleration_factor", text, 1)};
}

std::optional<ForceField> force_field(const Case& lbm_case, const Derived& derived,
                                      const TimeLimit& limit) {
  if (!acceleration_depends_on_place(lbm_case)) return std::nullopt;
  const auto formulas = std::make_shared<AccelerationFormulas>(lbm_case, derived);
  ForceField field;
  field.fill = [formulas, &limit](int z, std::span<float> values) {
    limit.check();
    formulas->fill(z, values);
  };
  field.same_in_all_planes = !formulas->uses_z();
  field.factor = acceleration_factor(lbm_case, derived);
  return field;
}

}  // namespace lbm::cases
