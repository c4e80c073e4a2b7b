// SPDX-License-Identifier: Apache-2.0
#include "cases/case/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

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

// Lengths and the viscosity are in lattice units already; the others follow from U, L and rho0.
Units reference_units(const Derived& d) {
  Units u;
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

Units make_units(const Case& lbm_case, const Derived& derived) {
  return lbm_case.units == UnitSystem::si ? si_units(lbm_case, derived) : reference_units(derived);
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

}  // namespace lbm::cases
