// What follows from a case by arithmetic alone.
#pragma once

#include <cstdint>

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
  double steps_per_time = 0;   // steps per unit of time of the case: L / U, or a second
  std::int64_t steps = 0;      // of the run; max_steps + 1 when there are more
  double duration = 0;         // of the run, convective times
};

// Units of length of the case per cell: metres with `units: si` (0 where the case does not say),
// otherwise 1.
double cell_size(const Case& lbm_case);

// A time as a whole step: nearest, at least 1, at most max_steps + 1. With convective times and
// convective_time, or with times of the case and steps_per_time.
std::int64_t step_at(double time, double steps_per_time);

// Never throws; a case that validate() refuses gives numbers without meaning.
Derived derive(const Case& lbm_case);

}  // namespace lbm::cases
