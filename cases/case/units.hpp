// SPDX-License-Identifier: Apache-2.0

// Conversion between units of a case and lattice units. A Case keeps the user's numbers; all
// computations convert them here. docs/units.md explains this to users.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

// Units of the case per lattice unit: lattice value = value in the case / factor. Lattice lengths
// are in cells, times in steps, densities in reference densities.
struct Units {
  double length = 1;
  double time = 1;
  double velocity = 1;
  double acceleration = 1;
  double angular_velocity = 1;
  double viscosity = 1;
  double density = 1;
  double pressure = 1;
  double force = 1;
  double torque = 1;
};

// Never throws; meaningless for a case that validate() refuses.
Units make_units(const Case& lbm_case, const Derived& derived);

// Computes grid.cells from grid.size, if given. The reader calls it; code that builds a case with
// grid.size must do so. Throws UsageError for a grid outside the limits.
void resolve_grid(Case& lbm_case);

double to_cells(const Units& units, double length);
Vec3 to_cells(const Units& units, const Vec3& position);
double to_steps(const Units& units, double time);  // not rounded
Vec3 to_lattice_velocity(const Units& units, const Vec3& velocity);
Vec3 to_lattice_acceleration(const Units& units, const Vec3& acceleration);
Vec3 to_lattice_angular_velocity(const Units& units, const Vec3& angular_velocity);  // per step

// Density difference in lattice units of a pressure difference, 3 dp; of a relative pressure: the
// density less 1.
double to_density_difference(const Units& units, double pressure_difference);
// The inverse.
double from_density_difference(const Units& units, double density_difference);

// Reference values for coefficients of a body, in lattice units.
struct BodyReference {
  double area = 0;      // cells^2
  double length = 0;    // cells
  double velocity = 0;  // cells per step
};
BodyReference body_reference(const Body& body, const Units& units, const Derived& derived);

// "reference area 0.01 m^2, length 0.1 m, velocity 2 m/s"; without `units: si` in cells and steps.
std::string reference_text(const BodyReference& reference, const Units& units, UnitSystem system);

}  // namespace lbm::cases
