// SPDX-License-Identifier: Apache-2.0

// The formulas of a case: their names, and those of the time. They are written in units of the case
// (docs/formulas.md). All classes are immutable: any thread may call them, and the same call
// returns the same bits. They throw UsageError, one line with the line of the key, for a text that
// is no formula, and for a value that is not finite.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "cases/formula/formula.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// The constants of all formulas of a case, and these variables.
formula::Names formula_names(const Case& lbm_case, const Derived& derived,
                             std::vector<std::string> variables);

// key: with file and line. component: "uy: ", or empty.
formula::Formula parse_formula(const std::string& key, const std::string& component,
                               const std::string& text, const formula::Names& names);

// Throws UsageError: "uy is nan at x = 3, must be finite ...". key: with file and line.
[[noreturn]] void refuse_value(const std::string& key, const std::string& name, double value,
                               const std::string& place);

// The three formulas of force.acceleration, which must be given.
std::vector<formula::Formula> acceleration_formulas(const Case& lbm_case,
                                                    const formula::Names& names);
// True if force.acceleration has a formula of x, y or z. Throws UsageError for a text that is no
// formula of x, y, z and t.
bool acceleration_depends_on_place(const Case& lbm_case);

// A formula of the time t, times a constant.
class TimeFormula : public TimeFunction {
 public:
  TimeFormula(const Case& lbm_case, const Derived& derived, const std::string& key,
              const std::string& text, double scale);

  double at(double step) const override;
  // Throws UsageError for a value that is not finite.
  double checked(double step) const;
  // The largest absolute value at up to 1000 steps of a run of `steps`, the last among them.
  double sampled_size(std::int64_t steps) const;

 private:
  std::string key_;      // with file and line
  double step_, scale_;  // step_: in units of the case
  formula::Formula formula_;
};

// The factor of a formula of the time; constant for an empty text.
TimeFactor time_factor(const Case& lbm_case, const Derived& derived, const std::string& key,
                       const std::string& text);
// force.acceleration_factor.
TimeFactor acceleration_factor(const Case& lbm_case, const Derived& derived);

// All formulas of the time of a case.
class TimeFormulas {
 public:
  TimeFormulas(const Case& lbm_case, const Derived& derived);
  // Throws UsageError where one has no finite value at a time that the solver asks for in these
  // steps: full and half ones.
  void check(std::int64_t first_step, std::int64_t last_step) const;

 private:
  std::vector<TimeFormula> all_;
};

}  // namespace lbm::cases
