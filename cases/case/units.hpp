// What the numbers of a case mean on the lattice. A Case keeps what the user wrote; everything that
// computes asks here. docs/units.md is the same for users.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

// Units of the case per lattice unit: value of the case / factor = value on the lattice (lengths
// in cells, times in steps, densities in reference densities), and the other way round.
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

// Never throws; a case that validate() refuses gives numbers without meaning.
Units make_units(const Case& lbm_case, const Derived& derived);

// Fills grid.cells from grid.size; leaves a case without grid.size alone. The reader does so; code
// that builds a case with grid.size must. Throws UsageError for a grid outside the limits.
void resolve_grid(Case& lbm_case);

double to_cells(const Units& units, double length);
Vec3 to_cells(const Units& units, const Vec3& position);
double to_steps(const Units& units, double time);  // not rounded
Vec3 to_lattice_velocity(const Units& units, const Vec3& velocity);
Vec3 to_lattice_acceleration(const Units& units, const Vec3& acceleration);
Vec3 to_lattice_angular_velocity(const Units& units, const Vec3& angular_velocity);  // per step

// Density of that relative pressure, p = (rho - 1) / 3; pressure 0 is density 1.
double to_lattice_density(const Units& units, double pressure);
// Relative pressure of that density: the inverse.
double from_lattice_density(const Units& units, double density);
// Difference of density that makes that difference of pressure.
double to_density_difference(const Units& units, double pressure_difference);

// Where forces, torques and velocities of a body are made dimensionless, in lattice units.
struct BodyReference {
  double area = 0;      // cells^2
  double length = 0;    // cells
  double velocity = 0;  // cells per step
};
BodyReference body_reference(const Body& body, const Units& units, const Derived& derived);

}  // namespace lbm::cases
