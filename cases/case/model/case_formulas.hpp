// SPDX-License-Identifier: Apache-2.0

// The formulas of a case: their names, those of the time, and those of the place
// (place_formulas.cpp) at cell centres from the corner of the box; and velocity profiles of inlets.
// Formulas are written in units of the case (docs/formulas.md). All classes are immutable: any
// thread may call them, and the same call returns the same bits. They throw UsageError, one line
// with the line of the key, for a text that is no formula, and for a value that is not finite or
// beyond the limits of the lattice.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/formula/formula.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/scalars.hpp"

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

// Velocity and density of the initial flow, in lattice units; initial.flow must be formula.
InitialState flow_of_formulas(const Case& lbm_case, const Derived& derived);

// The force of the lattice; nothing where it does not depend on the place. Its fill() throws
// TimeLimitReached, too. The limit must outlive it.
std::optional<ForceField> force_field(const Case& lbm_case, const Derived& derived,
                                      const TimeLimit& limit);

// These look at a few thousand cells of the box, its corners among them.
void check_flow_formulas(const Case& lbm_case, const Derived& derived);
void check_force_formulas(const Case& lbm_case, const Derived& derived);

// Velocity or pressure over a face by formulas of its two transverse coordinates.
class FaceFormulas {
 public:
  // key: "boundaries.z_min.velocity", or of the pressure.
  FaceFormulas(const Case& lbm_case, const Derived& derived, int face, const std::string& key,
               const Formulas& velocity);
  FaceFormulas(const Case& lbm_case, const Derived& derived, int face, const std::string& key,
               const std::string& pressure);

  // For each cell three components in cells per step, or the density less 1; the lower of the two
  // axes runs fastest. Throws TimeLimitReached, too.
  std::vector<float> values(const TimeLimit& limit) const;
  // The same at some places of the face, its corners among them. A density is the first component.
  std::vector<Vec3> sample() const;
  // The largest speed there, or the density less 1 that is farthest from 0.
  double sampled_extreme() const;

 private:
  using Evaluators = std::vector<formula::Formula::Evaluator>;
  FaceFormulas(const Case& lbm_case, const Derived& derived, int face, const std::string& key);
  Vec3 at(Evaluators& evaluators, int i, int j) const;

  std::array<int, 2> cells_;
  std::array<char, 2> axes_;  // 'x', 'y'
  Units units_;
  double reference_speed_;
  Vec2 density_range_;
  std::string key_;                         // with file and line
  std::vector<formula::Formula> formulas_;  // three of the velocity, or one of the pressure
};

struct ScalarPart;  // case_scalars.hpp

// The value of a scalar on a face or a patch of it, which must be a formula. Its values are those
// of ScalarFace. Immutable. Throws UsageError, one line with the line of the key, for a text that
// is no formula of the place and of t, and for a value that is not finite or beyond the bounds of
// the scalar or what its storage holds.
class ScalarFaceFormula : public TimeFunction {
 public:
  ScalarFaceFormula(const Case& lbm_case, const Derived& derived, const ScalarKeys& scalar,
                    std::size_t face, const ScalarPart& part);

  bool by_place() const { return formula_.uses(0) || formula_.uses(1); }
  bool by_time() const { return formula_.uses(2); }
  // At a time in steps; not checked. Where the formula is one of the place, at the corner.
  double at(double step) const override;
  // At the centre of cell i, j of the face, and a time in steps.
  using Evaluator = formula::Formula::Evaluator;
  Evaluator evaluator() const { return Evaluator(formula_); }
  double checked(Evaluator& evaluator, int i, int j, double step) const;
  // Checked, at some places of the face and times of the run.
  std::vector<double> sample() const;

 private:
  std::array<double, 3> variables(int i, int j, double step) const;

  std::array<int, 2> cells_;     // along the two axes of the face
  std::array<char, 2> axes_;     // 'x', 'y'
  double cell_, step_;           // in units of the case
  double reference_, unit_;      // the value of ScalarFace is (value - reference) / unit
  std::array<double, 2> range_;  // in which values must be
  double most_;                  // the largest size as stored
  std::int64_t steps_;           // of the run
  std::string key_;              // with file and line
  formula::Formula formula_;     // of the place on the face, and of t
};

// All formulas of the time of a case.
class TimeFormulas {
 public:
  TimeFormulas(const Case& lbm_case, const Derived& derived);
  // Throws UsageError where one has no finite value at a time that the solver asks for in these
  // steps, full and half ones, or one of a scalar has a value out of its range.
  void check(std::int64_t first_step, std::int64_t last_step) const;

 private:
  std::vector<TimeFormula> all_;
  std::vector<ScalarFaceFormula> at_faces_;
};

// The values of a scalar over a face whose parts may have formulas of the place; 0 in other parts.
// Throws UsageError as ScalarFaceFormula.
class ScalarFaceValues : public FaceFunction {
 public:
  ScalarFaceValues(const Case& lbm_case, const Derived& derived, const ScalarKeys& scalar,
                   std::size_t face);

  bool any() const { return !formulas_.empty(); }  // a part has a formula of the place
  bool change() const { return change_; }          // one of them is one of t, too
  void fill(double step, int row, std::span<float> values) const override;
  // Those of all cells at time 0, in the order of face_index(). Throws TimeLimitReached, too.
  std::vector<float> at_start(const TimeLimit& limit) const;
  double mean(double step) const;

 private:
  std::array<int, 2> cells_;                                // along the two axes of the face
  std::vector<std::optional<ScalarFaceFormula>> formulas_;  // of each part
  std::vector<std::uint8_t> patch_of_;                      // FaceBoundary::patch_of
  bool change_ = false;
};

// FaceBoundary::scalar_values of a face; empty where no scalar has a formula of the place there.
std::vector<std::vector<float>> scalar_values_of(const Case& lbm_case, const Derived& derived,
                                                 std::size_t face, const TimeLimit& limit);

// Cells of a face along its two transverse axes, in the order x, y, z; cell (i, j) has index j * na
// + i.
struct FaceGrid {
  int a, b;    // axes
  int na, nb;  // cells

  FaceGrid(const Case& lbm_case, int face)
      : a(face / 2 == 0 ? 1 : 0),
        b(face / 2 == 2 ? 1 : 2),
        na(lbm_case.grid.cells[a]),
        nb(lbm_case.grid.cells[b]) {}
};

// Three components for each cell, in cells per step. peak: velocity of the boundary condition in
// these units. patch: whose condition it is, if it is one of a patch; the profile is then that of
// the patch. Throws UsageError for an unreadable table.
std::vector<float> inlet_profile(const Case& lbm_case, const FaceCondition& condition, int face,
                                 const Units& units, const Vec3& peak,
                                 const Patch* patch = nullptr);

// Developed duct flow at (x, y) from the middle, relative to the middle, for half widths w and h
// (White, Viscous Fluid Flow, eq. 3-48).
double duct_velocity(double x, double y, double w, double h);

}  // namespace lbm::cases
