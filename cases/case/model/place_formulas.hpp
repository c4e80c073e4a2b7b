// SPDX-License-Identifier: Apache-2.0

// Formulas of the place on the lattice: the initial flow, the body force, and conditions of faces.
// Positions are those of cell centres from the corner of the box. Immutable, as in
// case_formulas.hpp. UsageError is also thrown for a value beyond the limits of the lattice, with
// its place.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/formula/formula.hpp"
#include "solver/boundary/force_field.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// Formulas of x, y and z, each of which is a number of all cells of the box.
class BoxFormulas {
 public:
  virtual ~BoxFormulas() = default;
  // Looks at a few thousand cells of the box, its corners among them.
  void check_sample() const;
  bool uses_z() const;

 protected:
  using Values = std::array<double, 4>;  // of a cell, in the order of the parts
  struct Part {
    formula::Formula formula;
    std::string key, name;       // key: with file and line
    double factor = 1, unit = 1;  // the number is value * factor / unit
  };

  BoxFormulas(const Case& lbm_case, const Derived& derived);
  // The numbers of row y of plane z, checked.
  void fill_row(int y, int z, const std::array<std::span<double>, 4>& row) const;

  std::array<int, 3> cells_;
  std::vector<Part> parts_;

 private:
  // True if the numbers are within the limits; else refuse() is called for them, if all are finite.
  virtual bool is_good(const Values& values) const = 0;
  [[noreturn]] virtual void refuse(const Values& values, const std::string& place) const = 0;
  void check(const Values& values, const Vec3& at) const;

  double cell_;  // in units of the case
};

// Velocity and density of the initial flow; initial.flow must be formula.
class FlowFormulas : public BoxFormulas {
 public:
  FlowFormulas(const Case& lbm_case, const Derived& derived);
  // Fills row y of plane z with lattice units.
  void fill(int y, int z, const StateRow& row) const;

 private:
  bool is_good(const Values& values) const override;
  [[noreturn]] void refuse(const Values& values, const std::string& place) const override;

  double reference_speed_;
  Vec2 density_range_;
};

// force.acceleration, where it depends on the place, in cells per step^2.
class AccelerationFormulas : public BoxFormulas {
 public:
  AccelerationFormulas(const Case& lbm_case, const Derived& derived);
  // Writes plane z of a ForceField, on all threads.
  void fill(int z, std::span<float> values) const;

 private:
  bool is_good(const Values& values) const override;
  [[noreturn]] void refuse(const Values& values, const std::string& place) const override;

  double most_;          // acceleration
  double largest_mach_;  // run.max_mach
};

// The force of the lattice; nothing where it does not depend on the place. Its fill() throws
// TimeLimitReached, too. The limit must outlive it.
std::optional<ForceField> force_field(const Case& lbm_case, const Derived& derived,
                                      const TimeLimit& limit);

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

}  // namespace lbm::cases
