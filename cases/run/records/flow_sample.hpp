// SPDX-License-Identifier: Apache-2.0

// A sample of the flow for the monitor, and the forces on a body, in units of the case.
#pragma once

#include <cstdint>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Means and extremes over all fluid; energy and momentum per volume.
struct FlowSample {
  std::int64_t step = 0;
  double time = 0;
  double mass = 0;            // mean of density / reference density - 1
  double kinetic_energy = 0;  // mean of rho u^2 / 2
  Vec3 momentum{};            // mean of rho u
  double speed_max = 0, density_min = 0, density_max = 0;  // densities in reference densities
  double alternation = 0;                                  // Alternation::value
};

// Forces on one body. Coefficients are relative to rho U^2 A / 2, those of torques also to L, with
// the body's reference values.
struct BodyForces {
  Vec3 force{}, torque{}, coefficient{}, torque_coefficient{};
};

}  // namespace lbm::cases
