// SPDX-License-Identifier: Apache-2.0
#include "cases/case/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

double si_velocity(const Case& lbm_case) { return lbm_case.fluid.velocity.value_or(0); }

double free_fall_reynolds(const Case& lbm_case) {
  const ScalarKeys* const scalar = free_fall_scalar(lbm_case);
  return scalar == nullptr ? 0 : std::sqrt(*scalar->rayleigh / *scalar->prandtl);
}

// At most one of the three is given; sets the others.
void set_viscosity(const Case& lbm_case, double cell, Derived& d) {
  const Fluid& fluid = lbm_case.fluid;
  if (fluid.tau) {
    d.tau = *fluid.tau;
    d.viscosity = (d.tau - 0.5) / 3;
    d.reynolds = d.velocity * d.length / d.viscosity;
    return;
  }
  if (fluid.viscosity) {
    const bool si = lbm_case.units == UnitSystem::si;
    const double unit = cell * (si ? si_velocity(lbm_case) / d.velocity : 1);
    d.viscosity = *fluid.viscosity / unit;
    d.reynolds = d.velocity * d.length / d.viscosity;
  } else {
    d.reynolds = fluid.reynolds.value_or(free_fall_reynolds(lbm_case));
    d.viscosity = d.velocity * d.length / d.reynolds;
  }
  d.tau = 3 * d.viscosity + 0.5;
}

Vec3 scaled(const Vec3& v, double factor) { return {v[0] * factor, v[1] * factor, v[2] * factor}; }

// All units follow from those of mass, length and time.
Units si_units(const Case& lbm_case, const Derived& d) {
  Units u;
  u.length = cell_size(lbm_case);
  u.velocity = lbm_case.fluid.velocity.value_or(0) / d.velocity;
  u.time = u.length / u.velocity;
  u.acceleration = u.velocity / u.time;
  u.angular_velocity = 1 / u.time;
  u.viscosity = u.length * u.velocity;
  u.density = lbm_case.fluid.density.value_or(1);
  u.pressure = u.density * u.velocity * u.velocity;
  u.force = u.pressure * u.length * u.length;
  u.torque = u.force * u.length;
  return u;
}

// Lengths are in cells of grid.spacing 1, viscosities in such cells^2 per step of theirs; the
// others follow from U, L and rho0.
Units reference_units(const Derived& d, double cell) {
  Units u;
  u.length = u.viscosity = cell;
  u.time = 1 / d.convective_time;
  u.velocity = 1 / d.velocity;
  u.acceleration = d.length / (d.velocity * d.velocity);
  u.angular_velocity = d.convective_time;
  u.pressure = 1 / (d.velocity * d.velocity);
  u.force = u.pressure / (d.length * d.length);
  u.torque = u.force / d.length;
  return u;
}

}  // namespace

double cell_size(const Case& lbm_case) {
  const Grid& grid = lbm_case.grid;
  if (grid.spacing) return *grid.spacing;
  if (lbm_case.units == UnitSystem::lattice) return 1;
  if (!grid.cells_per_length || !lbm_case.fluid.length) return 0;
  return *lbm_case.fluid.length / *grid.cells_per_length;
}

const Body* turning_body(const Case& lbm_case, const std::string& name) {
  const Body* found = nullptr;
  for (const Body& body : lbm_case.bodies) {
    if (body.motion.rate.value_or(0) == 0 || (!name.empty() && body.name != name)) continue;
    if (found != nullptr) return nullptr;
    found = &body;
  }
  return found;
}

double steps_per_turn(const Body& turning, const Derived& derived) {
  return 2 * std::numbers::pi / std::abs(*turning.motion.rate) * derived.steps_per_time;
}

std::int64_t step_at(double time, double steps_per_time) {
  const double step = std::round(time * steps_per_time);
  if (!(step < static_cast<double>(max_steps) + 1)) return max_steps + 1;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(step));
}

bool misses_target(const Case& lbm_case, const Derived& derived) {
  const auto& target = lbm_case.fluid.target_reynolds;
  return target && std::abs(derived.reynolds / *target - 1) > 0.01;
}

std::string reynolds_text(const Case& lbm_case, const Derived& derived) {
  std::string text = fmt::format("{:.6g}", derived.reynolds);
  if (!misses_target(lbm_case, derived)) return text;
  return text + fmt::format(" (target {:.6g})", *lbm_case.fluid.target_reynolds);
}

const ScalarKeys* free_fall_scalar(const Case& lbm_case) {
  const Fluid& fluid = lbm_case.fluid;
  if (fluid.reynolds || fluid.tau || fluid.viscosity) return nullptr;
  const auto& all = lbm_case.scalars;
  const auto found = std::find_if(all.begin(), all.end(), [](const ScalarKeys& scalar) {
    return scalar.rayleigh && scalar.prandtl;
  });
  return found == all.end() ? nullptr : &*found;
}

Derived derive(const Case& lbm_case) {
  const Fluid& fluid = lbm_case.fluid;
  const double cell = cell_size(lbm_case);
  Derived d;
  d.length = fluid.length ? *fluid.length / cell : static_cast<double>(lbm_case.grid.cells[0]);
  d.velocity = fluid.lattice_velocity;
  set_viscosity(lbm_case, cell, d);
  d.omega = 1 / d.tau;
  d.mach = d.velocity * std::sqrt(3.0);
  d.convective_time = d.length / d.velocity;
  const bool si = lbm_case.units == UnitSystem::si;
  d.steps_per_time = si ? si_velocity(lbm_case) / d.velocity / cell : d.convective_time;
  const Run& run = lbm_case.run;
  const Body* const turning =
      run.revolutions ? turning_body(lbm_case, run.revolutions_of) : nullptr;
  d.steps = run.steps  ? *run.steps
            : run.time ? step_at(*run.time, d.steps_per_time)
            : turning  ? step_at(*run.revolutions, steps_per_turn(*turning, d))
                       : step_at(run.convective_times.value_or(0), d.convective_time);
  d.duration = static_cast<double>(d.steps) / d.convective_time;
  return d;
}

Units make_units(const Case& lbm_case, const Derived& derived) {
  return lbm_case.units == UnitSystem::si ? si_units(lbm_case, derived)
                                          : reference_units(derived, cell_size(lbm_case));
}

void resolve_grid(Case& lbm_case) {
  if (!lbm_case.grid.size) return;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double size = (*lbm_case.grid.size)[axis];
    const double cells = std::max(1.0, std::round(size / cell_size(lbm_case)));
    if (!(cells <= max_cells_per_axis)) {
      throw UsageError(
          fmt::format("{}: found {} m along {}, which is {:.4g} cells, must be at most "
                      "{} cells: raise grid.spacing",
                      where(lbm_case, "grid.size"), size, "xyz"[axis], cells, max_cells_per_axis));
    }
    lbm_case.grid.cells[axis] = static_cast<int>(cells);
  }
}

double to_cells(const Units& units, double length) { return length / units.length; }

Vec3 to_cells(const Units& units, const Vec3& position) {
  return scaled(position, 1 / units.length);
}

double to_steps(const Units& units, double time) { return time / units.time; }

Vec3 to_lattice_velocity(const Units& units, const Vec3& velocity) {
  return scaled(velocity, 1 / units.velocity);
}

Vec3 to_lattice_acceleration(const Units& units, const Vec3& acceleration) {
  return scaled(acceleration, 1 / units.acceleration);
}

Vec3 to_lattice_angular_velocity(const Units& units, const Vec3& angular_velocity) {
  return scaled(angular_velocity, 1 / units.angular_velocity);
}

double to_density_difference(const Units& units, double pressure_difference) {
  return 3 * pressure_difference / units.pressure;
}

double from_density_difference(const Units& units, double density_difference) {
  return density_difference / 3 * units.pressure;
}

BodyReference body_reference(const Body& body, const Units& units, const Derived& derived) {
  const double cell_area = units.length * units.length;
  BodyReference reference;
  reference.area =
      body.reference_area ? *body.reference_area / cell_area : derived.length * derived.length;
  reference.length = body.reference_length ? *body.reference_length / units.length : derived.length;
  reference.velocity =
      body.reference_velocity ? *body.reference_velocity / units.velocity : derived.velocity;
  return reference;
}

std::string reference_text(const BodyReference& reference, const Units& units, UnitSystem system) {
  const auto& [area, length, velocity] = reference;
  if (system == UnitSystem::lattice) {
    return fmt::format(
        "reference area {:.6g} cells^2, length {:.6g} cells, velocity {:.6g} cells per step", area,
        length, velocity);
  }
  return fmt::format("reference area {:.6g} m^2, length {:.6g} m, velocity {:.6g} m/s",
                     area * units.length * units.length, length * units.length,
                     velocity * units.velocity);
}

std::vector<std::int64_t> correction_steps(const Case& lbm_case, const Derived& derived) {
  std::vector<std::int64_t> steps;
  if (lbm_case.run.flow_rate_corrections == 0) return steps;
  const Units units = make_units(lbm_case, derived);
  const double between = std::max(1.0, std::round(to_steps(units, *lbm_case.run.correction_time)));
  for (int i = 1; i <= lbm_case.run.flow_rate_corrections; ++i) {
    if (i * between > static_cast<double>(derived.steps)) break;
    steps.push_back(std::llround(i * between));
  }
  return steps;
}

}  // namespace lbm::cases
