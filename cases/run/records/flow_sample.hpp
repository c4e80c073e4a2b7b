// What a look at the flow gives, and the forces on a body, in units of the case.
#pragma once

#include <cstdint>

#include "cases/case/case.hpp"

namespace lbm::cases {

// Sums over a look at the flow, in units of the case; energy and momentum per volume.
struct FlowSample {
  std::int64_t step = 0;
  double time = 0;
  double mass = 0;            // mean of density / reference density - 1
  double kinetic_energy = 0;  // mean of rho u^2 / 2
  Vec3 momentum{};            // mean of rho u
  double speed_max = 0, density_min = 0, density_max = 0;  // the latter in reference densities
};

// Of one body, in units of the case; coefficients are over rho U^2 A / 2, those of torques also
// over L, with the body's references.
struct BodyForces {
  Vec3 force{}, torque{}, coefficient{}, torque_coefficient{};
};

}  // namespace lbm::cases
