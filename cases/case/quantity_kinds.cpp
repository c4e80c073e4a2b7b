// SPDX-License-Identifier: Apache-2.0

// The rows of the kinds and fields of named quantities, and the scalars that they are of.
#include <algorithm>
#include <cmath>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {
namespace {

using Numbers = QuantityNumbers;
using Keys = QuantityKeys;
using Source = QuantitySource;

constexpr unsigned sampled_region = Keys::region | Keys::samples,
                   sampled_point = Keys::point | Keys::samples,
                   sampled_bodies = Keys::bodies | Keys::samples,
                   sampled_forces = sampled_bodies | Keys::direction;

double pore_velocity(const Numbers& n) { return n.sum / n.fluid; }

// In the order of QuantityKind.
constexpr QuantityFacts quantity_rows[] = {
    {"fluid_cells", Source::geometry, Keys::region, "cells", "cells",
     [](const Numbers& n) { return n.fluid; }},
    {"solid_cells", Source::geometry, Keys::region, "cells", "cells",
     [](const Numbers& n) { return n.solid; }},
    {"porosity", Source::geometry, Keys::region, "1", "1",
     [](const Numbers& n) { return n.fluid / (n.fluid + n.solid); }},
    {"mean", Source::region, sampled_region | Keys::field | Keys::scalar, nullptr, nullptr,
     [](const Numbers& n) { return n.field->in_units(n.sum / n.fluid, n); }},
    {"flow_rate", Source::region, sampled_region, "m^3/s", "U L^2",
     [](const Numbers& n) { return n.sum * n.units->velocity * (n.edge * n.edge); }},
    // Darcy: U = k / viscosity x gradient, with the superficial velocity U.
    {"permeability", Source::drive, sampled_region, "m^2", "cells^2",
     [](const Numbers& n) {
       return n.derived->viscosity * n.sum / (n.fluid + n.solid) / n.gradient * n.units->length *
              n.units->length;
     }},
    // Duda, Koza & Matyka (2011), Phys. Rev. E 84, 036319
    {"tortuosity", Source::drive, sampled_region, "1", "1",
     [](const Numbers& n) { return n.speeds / n.sum; }},
    {"pore_velocity", Source::drive, sampled_region, "m/s", "U",
     [](const Numbers& n) { return pore_velocity(n) * n.units->velocity; }},
    {"pore_reynolds", Source::drive, sampled_region, "1", "1",
     [](const Numbers& n) { return pore_velocity(n) * n.derived->length / n.derived->viscosity; }},
    {"point", Source::point, sampled_point | Keys::field, nullptr, nullptr,
     [](const Numbers& n) { return n.field->in_units(n.sum, n); }},
    {"wall_pressure", Source::point, sampled_point, nullptr, nullptr,
     [](const Numbers& n) { return n.field->in_units(n.sum, n); }},
    {"force", Source::bodies, sampled_forces | Keys::length | Keys::pressure_gradient, "N",
     "rho0 U^2 L^2", [](const Numbers& n) { return n.force; }},
    {"torque", Source::bodies, sampled_forces, "N m", "rho0 U^2 L^3",
     [](const Numbers& n) { return n.torque; }},
    {"coefficient", Source::bodies, sampled_forces | Keys::pressure_gradient, "1", "1",
     [](const Numbers& n) { return n.coefficient; }},
    {"torque_coefficient", Source::bodies, sampled_forces, "1", "1",
     [](const Numbers& n) { return n.torque_coefficient; }},
    {"power", Source::bodies, sampled_bodies, "W", "rho0 U^3 L^2",
     [](const Numbers& n) { return n.power; }},
    {"power_coefficient", Source::bodies, sampled_bodies, "1", "1",
     [](const Numbers& n) { return n.power_coefficient; }},
    {"body_position", Source::bodies, sampled_forces, "m", "cells",
     [](const Numbers& n) { return n.position; }},
    {"body_velocity", Source::bodies, sampled_forces, "m/s", "U",
     [](const Numbers& n) { return n.velocity; }},
    // The name of the scalar is a part of the unit.
    {"heat_flow", Source::bodies, sampled_bodies | Keys::scalar | Keys::length, nullptr, nullptr,
     [](const Numbers& n) { return n.heat; }},
    {"nusselt", Source::region, Keys::samples | Keys::scalar | Keys::face, "1", "1",
     [](const Numbers& n) { return n.conducted + n.sum / (n.fluid + n.solid) / n.conduction; }},
};

double in_velocities(double mean, const Numbers& n) { return mean * n.units->velocity; }

double in_squared_rates(double mean, const Numbers& n) {
  const double rate = n.units->velocity / n.edge;
  return mean * rate * rate;
}

double in_dissipation(double mean, const Numbers& n) {
  const double rate = n.units->velocity / n.edge;
  return 2 * n.derived->viscosity * mean * rate * rate * n.units->velocity * n.edge;
}

// sign -1: half the square of the vorticity; 1: S : S, S the strain rate.
template <int sign>
double square_of(const double* gradient) {
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double v = gradient[3 * i + j] + sign * gradient[3 * j + i];
      sum += v * v;
    }
  }
  return sum / 4;
}

template <Macro field, int component = 0>
double value_of(const double* values) {
  return values[first_value_of(field) + component];
}

// In the order of QuantityField.
constexpr FieldFacts field_rows[] = {
    {"pressure", "Pa", "rho0 U^2", false, value_of<Macro::density>,
     [](double mean, const Numbers& n) { return from_density_difference(*n.units, mean); }},
    {"density", "kg/m^3", "rho0", false, value_of<Macro::density>,
     [](double mean, const Numbers& n) { return (1 + mean) * n.units->density; }},
    {"velocity.x", "m/s", "U", false, value_of<Macro::velocity, 0>, in_velocities},
    {"velocity.y", "m/s", "U", false, value_of<Macro::velocity, 1>, in_velocities},
    {"velocity.z", "m/s", "U", false, value_of<Macro::velocity, 2>, in_velocities},
    {"speed", "m/s", "U", false, [](const double* u) { return std::hypot(u[0], u[1], u[2]); },
     in_velocities},
    {"enstrophy", "1/s^2", "U^2/L^2", true, square_of<-1>, in_squared_rates},
    {"dissipation", "m^2/s^3", "U^3/L", true, square_of<1>, in_dissipation},
};

double in_scalars(double mean, const Numbers& n) { return n.reference + n.difference * mean; }

template <std::size_t scalar>
double scalar_in(const double* values) {
  return values[macro_values + scalar];
}

constexpr FieldFacts scalar_row(double (*of_cell)(const double*)) {
  return {"scalar", "", "", false, of_cell, in_scalars};
}
constexpr std::array<FieldFacts, most_scalars> scalar_rows{
    scalar_row(scalar_in<0>), scalar_row(scalar_in<1>), scalar_row(scalar_in<2>),
    scalar_row(scalar_in<3>)};

template <std::size_t count>
std::array<const char*, count> names_in(const auto(&rows)[count]) {
  std::array<const char*, count> names{};
  for (std::size_t i = 0; i < count; ++i) names[i] = rows[i].name;
  return names;
}

}  // namespace

const QuantityFacts& facts_of(QuantityKind kind) {
  return quantity_rows[static_cast<std::size_t>(kind)];
}
const FieldFacts& facts_of(QuantityField field) {
  if (const auto scalar = scalar_of(field)) return scalar_rows.at(*scalar);
  return field_rows[static_cast<std::size_t>(field)];
}

const FieldFacts scalar_dissipation{
    "dissipation",
    "",
    "",
    true,
    [](const double* g) { return g[0] * g[0] + g[1] * g[1] + g[2] * g[2]; },
    [](double mean, const Numbers& n) {
      return n.diffusivity * mean * n.difference * n.difference / n.units->time;
    }};

std::array<const char*, 21> enum_names(QuantityKind) { return names_in(quantity_rows); }
std::array<const char*, 8> enum_names(QuantityField) { return names_in(field_rows); }

std::optional<std::size_t> scalar_named(const Case& lbm_case, const std::string& name) {
  const auto& all = lbm_case.scalars;
  if (name.empty()) return all.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const ScalarKeys& s) { return s.name == name; });
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

std::optional<std::size_t> axis_between_values(const ScalarKeys& scalar) {
  std::optional<std::size_t> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto &low = scalar.faces[2 * axis], &high = scalar.faces[2 * axis + 1];
    const bool given = low.kind == ScalarBoundary::value && high.kind == ScalarBoundary::value;
    // Formulas count as different.
    if (!given || (low.value && low.value == high.value)) continue;
    if (found) return std::nullopt;
    found = axis;
  }
  return found;
}

}  // namespace lbm::cases
