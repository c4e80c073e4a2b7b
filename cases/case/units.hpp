// SPDX-License-Identifier: Apache-2.0

// Numbers that follow from a case by arithmetic alone, and the conversion between units of a case
// and lattice units. A Case keeps the user's numbers; all computations convert them here.
// docs/units.md explains this to users.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

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

// The body of this name, or with an empty name the only one with motion.rate, if it turns at a rate
// other than 0; null: there is none, or several.
const Body* turning_body(const Case& lbm_case, const std::string& name);
// Steps in which it turns once; not rounded.
double steps_per_turn(const Body& turning, const Derived& derived);

// The nearest step to a time, clamped to 1 .. max_steps + 1. `time` in convective times with
// convective_time, or in times of the case with steps_per_time.
std::int64_t step_at(double time, double steps_per_time);

// True if the Reynolds number differs from fluid.target_reynolds by more than 1 %.
bool misses_target(const Case& lbm_case, const Derived& derived);
// "1185", or "1185 (target 5.33e+06)" where it misses the target.
std::string reynolds_text(const Case& lbm_case, const Derived& derived);

// The scalar whose rayleigh and prandtl give the Reynolds number, sqrt(Ra / Pr), where the case has
// none of fluid.reynolds, tau and viscosity: the reference velocity is then that of free fall. The
// first one of the case; null: none.
const ScalarKeys* free_fall_scalar(const Case& lbm_case);

// Never throws; meaningless for a case that validate() refuses.
Derived derive(const Case& lbm_case);

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

// The steps after which run.flow_rate_corrections correct the pressure, in order; empty: never.
// Those behind the end of the run are left out.
std::vector<std::int64_t> correction_steps(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
