// SPDX-License-Identifier: Apache-2.0

// A body force by formulas of the place.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/formula/formula.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// force.acceleration, where it depends on the place. Immutable: any thread may call it. Throws
// UsageError for a text that is no formula, and for a value that is not finite or, times the
// largest factor of the time, changes the flow in a step by more than run.max_mach, with its place.
class AccelerationFormulas {
 public:
  AccelerationFormulas(const Case& lbm_case, const Derived& derived);

  bool uses_z() const;
  // Writes plane z of a ForceField, on all threads.
  void fill(int z, std::span<float> values) const;
  // Looks at some places of the box, its corners among them.
  void check_sample() const;

 private:
  // At the centre of a cell, in cells per step^2.
  Vec3 at(std::vector<formula::Formula::Evaluator>& evaluators, int x, int y, int z) const;

  std::array<int, 3> cells_;
  double cell_, unit_;   // in units of the case
  double most_;          // acceleration, in cells per step^2
  double largest_mach_;  // run.max_mach
  std::string key_;      // with file and line
  std::vector<formula::Formula> components_;
};

// force.acceleration_factor; constant without one.
TimeFactor acceleration_factor(const Case& lbm_case, const Derived& derived);

// The force of the lattice; nothing where it does not depend on the place. Its fill() throws
// TimeLimitReached, too. The limit must outlive it.
std::optional<ForceField> force_field(const Case& lbm_case, const Derived& derived,
                                      const TimeLimit& limit);

}  // namespace lbm::cases
