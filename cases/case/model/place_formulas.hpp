// SPDX-License-Identifier: Apache-2.0

// Formulas of the place on the lattice: the initial flow, the body force, and conditions of faces.
// Positions are those of cell centres from the corner of the box. Immutable, as in
// case_formulas.hpp. UsageError is also thrown for a value beyond the limits of the lattice, with
// its place.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/formula/formula.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

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

}  // namespace lbm::cases
