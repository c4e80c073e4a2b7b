// SPDX-License-Identifier: Apache-2.0

// The formulas of a case on the lattice. They are written in units of the case (docs/formulas.md):
// positions are those of cell centres from the corner of the box. All classes are immutable: any
// thread may call them, and the same call returns the same bits. They throw UsageError, one line
// with the line of the key, for a text that is no formula, and for a value that is not finite or
// beyond the limits of the lattice, with its place.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/formula/formula.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// The constants of all formulas of a case, and these variables.
formula::Names formula_names(const Case& lbm_case, const Derived& derived,
                             std::vector<std::string> variables);

// The three formulas of force.acceleration, which must be given.
std::vector<formula::Formula> acceleration_formulas(const Case& lbm_case,
                                                    const formula::Names& names);
// True if force.acceleration has a formula of x, y or z. Throws UsageError for a text that is no
// formula of x, y, z and t.
bool acceleration_depends_on_place(const Case& lbm_case);

// Velocity and density of the initial flow; initial.flow must be formula.
class FlowFormulas {
 public:
  FlowFormulas(const Case& lbm_case, const Derived& derived);

  // Fills row y of plane z with lattice units.
  void fill(int y, int z, const StateRow& row) const;
  // Looks at a few thousand cells of the box, its corners among them.
  void check_sample() const;
  // Looks at all cells, or, in a box of more than 16 million, at as many rows as have so many.
  // False if the limit was reached before the end.
  bool check_rows(const TimeLimit& limit) const;

 private:
  struct Field {
    formula::Formula formula;
    double factor;  // to lattice units
    std::span<double> StateRow::*values;
  };
  void check(int x, int y, int z, const StateRow& row, std::size_t at) const;

  std::array<int, 3> cells_;
  double cell_;  // in units of the case
  double reference_speed_, max_speed_;
  Vec2 density_range_;
  std::string velocity_key_, pressure_key_;  // with file and line
  std::vector<Field> fields_;                // of drho, ux, uy, uz
};

// Velocity over a face by formulas of its two transverse coordinates.
class FaceFormulas {
 public:
  // key: "boundaries.z_min.velocity".
  FaceFormulas(const Case& lbm_case, const Derived& derived, int face, const std::string& key,
               const Formulas& texts);

  // Three components for each cell, in cells per step; the lower of the two axes runs fastest.
  // Throws TimeLimitReached, too.
  std::vector<float> profile(const TimeLimit& limit) const;
  // The largest speed at some places of the face, its corners among them; cells per step.
  double sampled_speed() const;
  // The mean velocity at these places; cells per step.
  Vec3 sampled_mean() const;

 private:
  Vec3 at(std::vector<formula::Formula::Evaluator>& evaluators, int i, int j) const;

  std::array<int, 2> cells_;
  std::array<char, 2> axes_;  // 'x', 'y'
  Units units_;
  double reference_speed_, max_speed_;
  std::string key_;  // with file and line
  std::vector<formula::Formula> components_;
};

// Pressure over a face by a formula of its two transverse coordinates.
class FacePressure {
 public:
  // key: "boundaries.z_max.pressure".
  FacePressure(const Case& lbm_case, const Derived& derived, int face, const std::string& key,
               const std::string& text);

  // Density less 1 for each cell; the lower of the two axes runs fastest. Throws TimeLimitReached,
  // too.
  std::vector<float> densities(const TimeLimit& limit) const;
  // The density less 1 that is farthest from 0 at some places of the face, its corners among them.
  double sampled_density() const;

 private:
  double at(formula::Formula::Evaluator& evaluator, int i, int j) const;

  std::array<int, 2> cells_;
  std::array<char, 2> axes_;  // 'x', 'y'
  Units units_;
  Vec2 density_range_;
  std::string key_;  // with file and line
  formula::Formula formula_;
};

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
