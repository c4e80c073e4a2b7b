// SPDX-License-Identifier: Apache-2.0

// Numbers that follow from a case by arithmetic alone.
#pragma once

#include <cstdint>
#include <string>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Lattice units: cells and steps.
struct Derived {
  double length = 0;           // reference length L, cells
  double velocity = 0;         // reference velocity U, cells per step
  double reynolds = 0;         // U L / viscosity
  double viscosity = 0;        // kinematic, cells^2 per step
  double tau = 0;              // relaxation time, steps: 3 viscosity + 1/2
  double omega = 0;            // 1 / tau
  double mach = 0;             // U / speed of sound, the latter 1/sqrt(3)
  double convective_time = 0;  // L / U, steps
  double steps_per_time = 0;   // steps per unit of time of the case: per L / U or per second
  std::int64_t steps = 0;      // max_steps + 1 if the case asks for more
  double duration = 0;         // of the run, in convective times
};

// Length of a cell in units of the case: metres with `units: si` (0 if unknown), else 1.
double cell_size(const Case& lbm_case);

// The nearest step to a time, clamped to 1 .. max_steps + 1. `time` in convective times with
// convective_time, or in times of the case with steps_per_time.
std::int64_t step_at(double time, double steps_per_time);

// True if the Reynolds number differs from fluid.target_reynolds by more than 1 %.
bool misses_target(const Case& lbm_case, const Derived& derived);
// "1185", or "1185 (target 5.33e+06)" where it misses the target.
std::string reynolds_text(const Case& lbm_case, const Derived& derived);

// Never throws; meaningless for a case that validate() refuses.
Derived derive(const Case& lbm_case);

}  // namespace lbm::cases
