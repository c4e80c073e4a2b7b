// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/porous_zones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// The resistance of a step must not turn the flow round: the velocity of outputs has half of it.
constexpr double most_rate = 1;

// True if the box ends within the body along an axis that is not periodic.
bool is_cut(const Case& lbm_case, const geometry::Box& bounds) {
  const auto periodic = periodic_axes(lbm_case);
  for (std::size_t a = 0; a < 3; ++a) {
    if (periodic[a]) continue;
    if (bounds.low[a] < 0 || bounds.high[a] > lbm_case.grid.cells[a]) return true;
  }
  return false;
}

double volume_of(const SolidFraction& fraction, const std::array<int, 3>& cells) {
  double volume = 0;
  for (const std::uint8_t value : fraction.values) volume += value / 255.0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (fraction.samples[a] == 1) volume *= cells[a];
  }
  return volume;
}

void set_axis(Resistance& resistance, const geometry::Vec& axis) {
  for (std::size_t a = 0; a < 3; ++a) resistance.axis[a] = static_cast<float>(axis[a]);
}

Resistance porous_resistance(const PorousKeys& keys, const Units& units, const Derived& derived) {
  Resistance resistance;
  if (keys.permeability) {
    const double permeability = *keys.permeability / (units.length * units.length);
    resistance.linear = static_cast<float>(derived.viscosity / permeability);
  }
  if (keys.forchheimer) {
    resistance.quadratic = static_cast<float>(*keys.forchheimer * units.length);
  }
  if (keys.along || keys.across) {
    resistance.all = keys.along ? 0 : 1;
    resistance.along = keys.along ? 1 : -1;
    set_axis(resistance, geometry::unit(keys.along ? *keys.along : *keys.across));
  }
  return resistance;
}

// volume: of its samples, cells^3; 0: that of the cylinder, of which the box has a part.
Resistance disc_resistance(const Body& body, const Units& units, double volume) {
  const DiscKeys& keys = body.disc;
  const geometry::Affine place = transform_of(body);
  const geometry::Vec from = place(*body.from), to = place(*body.to);
  const geometry::Vec whole{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  const geometry::Vec axis = geometry::unit(whole);
  const double radius = to_cells(units, *body.radius);
  const double share = volume > 0 ? std::numbers::pi * radius * radius / (2 * volume)
                                  : 1 / (2 * to_cells(units, geometry::length(whole)));
  Resistance resistance;
  if (keys.reference_velocity) {
    const double u = to_lattice_velocity(units, {*keys.reference_velocity, 0, 0})[0];
    for (std::size_t a = 0; a < 3; ++a) {
      resistance.thrust[a] =
          static_cast<float>(-share * *keys.thrust_coefficient * u * u * axis[a]);
    }
    return resistance;
  }
  // Momentum theory: C_T = 4 a (1 - a), and the velocity in the disc is 1 - a of that far away.
  const double slowed = 0.5 * (1 + std::sqrt(1 - keys.thrust_coefficient.value_or(0)));
  const double local = keys.local_thrust_coefficient ? *keys.local_thrust_coefficient
                                                     : *keys.thrust_coefficient / (slowed * slowed);
  resistance.quadratic = static_cast<float>(share * local);
  resistance.all = 0;
  resistance.along = 1;
  set_axis(resistance, axis);
  return resistance;
}

}  // namespace

bool has_zones(const Case& lbm_case) {
  return std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                     [](const Body& body) { return body.resists(); });
}

void check_zone_keys(const Case& lbm_case, const Body& body) {
  const std::string name = "bodies." + body.name;
  const auto refuse = [&](bool found, const std::string& key, const std::string& what) {
    if (found) throw UsageError(where(lbm_case, key) + ": " + what);
  };
  const PorousKeys& porous = body.porous;
  for (const auto& [key, axis] :
       {std::pair{".porous.along", porous.along}, std::pair{".porous.across", porous.across}}) {
    refuse(axis && geometry::length(*axis) == 0, name + key,
           "found a length of 0, must be a direction such as [0, 0, 1]");
  }
  refuse(porous.any() && body.disc.any(), name + ".disc",
         "conflicts with " + name + ".porous: make two bodies, one behind the other");
  refuse(lbm_case.lattice.collision == CollisionKind::regularised_filtered && body.resists(),
         "lattice.collision", "regularised_filtered conflicts with " + name + ": take another one");
  if (!body.disc.any()) return;
  refuse(body.shape != BodyShape::cylinder, name + ".shape",
         "must be cylinder: its axis points along the stream, its length is the thickness");
  refuse(body.scale.has_value(), name + ".scale",
         "conflicts with disc: change radius, from and to");
  refuse(body.disc.thrust_coefficient.value_or(0) >= 1 && !body.disc.reference_velocity,
         name + ".disc.thrust_coefficient",
         "must be below 1, where momentum theory ends: give disc.local_thrust_coefficient or "
         "disc.reference_velocity");
}

std::shared_ptr<const PorousZone> make_zone(const Case& lbm_case, const Derived& derived,
                                            const Body& body, const geometry::Shape& shape,
                                            const TimeLimit& limit) {
  const Units units = make_units(lbm_case, derived);
  const auto& cells = lbm_case.grid.cells;
  auto zone = std::make_shared<PorousZone>();
  zone->fraction = sample_solid_fraction(shape, cells, periodic_axes(lbm_case), limit,
                                         FractionSamples::of_cells);
  Resistance& resistance = zone->resistance;
  const bool cut = is_cut(lbm_case, shape.bounds());
  resistance = body.disc.any()
                   ? disc_resistance(body, units, cut ? 0 : volume_of(zone->fraction, cells))
                   : porous_resistance(body.porous, units, derived);
  const auto [fx, fy, fz] = resistance.thrust;
  const double thrust = geometry::length({fx, fy, fz}) / derived.velocity;
  const double others = double{resistance.quadratic} * derived.velocity + thrust;
  if (!(resistance.linear <= most_rate)) {
    throw UsageError(fmt::format(
        "porous.permeability: found a resistance of {:.3g} per step, viscosity over permeability "
        "in cells, must be at most {}: raise the permeability, or lower fluid.lattice_velocity",
        resistance.linear, most_rate));
  }
  if (!(resistance.linear + others <= most_rate)) {
    throw UsageError(fmt::format(
        "{}: found a resistance of {:.3g} per step at the reference velocity, must be at most {}: "
        "make the body thicker, or lower the coefficient or fluid.lattice_velocity",
        body.disc.any() ? "disc" : "porous", resistance.linear + others, most_rate));
  }
  return zone;
}

}  // namespace lbm::cases
