// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::cases {
namespace {

formula::Names names_of_time(const Case& lbm_case, const Derived& derived) {
  formula::Names names = formula_names(lbm_case, derived, {"t"});
  for (const char* const axis : {"x", "y", "z"}) {
    names.elsewhere.emplace_back(axis, "it is the same everywhere, must be a formula of t");
  }
  return names;
}

}  // namespace

formula::Names formula_names(const Case& lbm_case, const Derived& derived,
                             std::vector<std::string> variables) {
  const Units units = make_units(lbm_case, derived);
  const auto& n = lbm_case.grid.cells;
  const double cell = units.length;
  return {std::move(variables),
          {{"lx", n[0] * cell},
           {"ly", n[1] * cell},
           {"lz", n[2] * cell},
           {"nx", n[0]},
           {"ny", n[1]},
           {"nz", n[2]},
           {"dx", cell},
           {"U", derived.velocity * units.velocity},
           {"L", derived.length * cell},
           {"Re", derived.reynolds},
           {"rho0", units.density},
           {"pi", std::numbers::pi}},
          {}};
}

formula::Formula parse_formula(const std::string& key, const std::string& component,
                               const std::string& text, const formula::Names& names) {
  try {
    return formula::Formula(text, names);
  } catch (const formula::FormulaError& error) {
    throw UsageError(key + ": " + component + error.what());
  }
}

void refuse_value(const std::string& key, const std::string& name, double value,
                  const std::string& place) {
  const std::string number = std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
  throw UsageError(
      fmt::format("{}: {} is {} at {}, must be finite everywhere: change the formula there", key,
                  name, number, place));
}

std::vector<formula::Formula> acceleration_formulas(const Case& lbm_case,
                                                    const formula::Names& names) {
  const std::string key = where(lbm_case, "force.acceleration");
  const Formulas& texts = lbm_case.force.acceleration_formulas.value();
  std::vector<formula::Formula> all;
  for (std::size_t i = 0; i < 3; ++i) {
    all.push_back(parse_formula(key, fmt::format("a{}: ", "xyz"[i]), texts[i], names));
  }
  return all;
}

bool acceleration_depends_on_place(const Case& lbm_case) {
  if (!lbm_case.force.acceleration_formulas) return false;
  // Only the names count here: their values are not used.
  const auto all =
      acceleration_formulas(lbm_case, formula_names(lbm_case, Derived{}, {"x", "y", "z", "t"}));
  return std::any_of(all.begin(), all.end(), [](const formula::Formula& formula) {
    return formula.uses(0) || formula.uses(1) || formula.uses(2);
  });
}

TimeFormula::TimeFormula(const Case& lbm_case, const Derived& derived, const std::string& key,
                         const std::string& text, double scale)
    : key_(where(lbm_case, key)),
      step_(make_units(lbm_case, derived).time),
      scale_(scale),
      formula_(parse_formula(key_, "", text, names_of_time(lbm_case, derived))) {}

double TimeFormula::at(double step) const {
  const double t = step * step_;
  return formula::Formula::Evaluator(formula_)({&t, 1}) * scale_;
}

double TimeFormula::checked(double step) const {
  const double value = at(step);
  if (std::isfinite(value)) return value;
  refuse_value(key_, "it", value, fmt::format("t = {:.6g}", step * step_));
}

double TimeFormula::sampled_size(std::int64_t steps) const {
  const auto count = static_cast<int>(std::min<std::int64_t>(steps + 1, 1000));
  double size = 0;
  for (int i = 0; i < count; ++i) {
    const double step = static_cast<double>(steps) * i / std::max(count - 1, 1);
    size = std::max(size, std::abs(checked(std::round(step))));
  }
  return size;
}

TimeFactor time_factor(const Case& lbm_case, const Derived& derived, const std::string& key,
                       const std::string& text) {
  if (text.empty()) return {};
  return {TimeFactor::Kind::function, 0,
          std::make_shared<TimeFormula>(lbm_case, derived, key, text, 1)};
}

TimeFactor acceleration_factor(const Case& lbm_case, const Derived& derived) {
  return time_factor(lbm_case, derived, "force.acceleration_factor",
                     lbm_case.force.acceleration_factor);
}

TimeFormulas::TimeFormulas(const Case& lbm_case, const Derived& derived) {
  const auto add = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) all_.emplace_back(lbm_case, derived, key, text, 1);
  };
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const std::string key = "boundaries." + face_names()[face];
    add(key + ".velocity_factor", lbm_case.faces[face].velocity_factor);
    for (const Patch& patch : lbm_case.faces[face].patches) {
      add(key + ".patches." + patch.name + ".velocity_factor", patch.velocity_factor);
    }
  }
  for (const Body& body : lbm_case.bodies) {
    add("bodies." + body.name + ".velocity_factor", body.velocity_factor);
  }
  add("force.acceleration_factor", lbm_case.force.acceleration_factor);
  if (acceleration_depends_on_place(lbm_case)) return;
  for (const std::string& text : lbm_case.force.acceleration_formulas.value_or(Formulas{})) {
    add("force.acceleration", text);
  }
}

void TimeFormulas::check(std::int64_t first_step, std::int64_t last_step) const {
  for (const TimeFormula& formula : all_) {
    for (std::int64_t half = 2 * first_step; half <= 2 * last_step; ++half) {
      (void)formula.checked(static_cast<double>(half) / 2);
    }
  }
}

}  // namespace lbm::cases
