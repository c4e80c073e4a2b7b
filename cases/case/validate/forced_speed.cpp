// SPDX-License-Identifier: Apache-2.0
#include "cases/case/validate/forced_speed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cases/case/derived.hpp"
#include "cases/case/model/open_faces.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases {
namespace {

// Peak of the laminar channel over its friction velocity at Re_tau 100, where channels become
// turbulent; a turbulent one has less than 25.
constexpr double most_friction_velocities = 50;

BoundaryKind kind(const Case& lbm_case, std::size_t axis, std::size_t side) {
  return lbm_case.faces[2 * axis + side].type;
}

bool is_free(BoundaryKind type) { return type == BoundaryKind::periodic || fixes_pressure(type); }

int walls_across(const Case& lbm_case, std::size_t normal) {
  return static_cast<int>(kind(lbm_case, normal, 0) == BoundaryKind::wall) +
         static_cast<int>(kind(lbm_case, normal, 1) == BoundaryKind::wall);
}

// 0: no walls.
double hydraulic_radius(const Case& lbm_case, const Derived& derived, std::size_t axis) {
  const auto [a, b] = validation::transverse(2 * axis);
  const double width = lbm_case.grid.cells[a], height = lbm_case.grid.cells[b];
  const double perimeter = walls_across(lbm_case, a) * height + walls_across(lbm_case, b) * width;
  if (perimeter > 0) return width * height / perimeter;
  const bool bodies = std::any_of(lbm_case.bodies.begin(), lbm_case.bodies.end(),
                                  [](const Body& body) { return body.solid; });
  return bodies ? derived.length / 4 : 0;
}

// time: steps in which the acceleration points one way, at its peak.
ForcedSpeed along(const Case& lbm_case, const Derived& derived, std::size_t axis,
                  double acceleration, double time) {
  // A closed axis has no stream, and an inlet its own.
  if (!is_free(kind(lbm_case, axis, 0)) || !is_free(kind(lbm_case, axis, 1))) return {};
  acceleration = std::abs(acceleration);
  ForcedSpeed found{{}, acceleration * time, std::numeric_limits<double>::infinity()};
  for (std::size_t normal = 0; normal < 3; ++normal) {
    if (normal == axis) continue;
    const int walls = walls_across(lbm_case, normal);
    if (walls == 0) continue;
    const double half = lbm_case.grid.cells[normal] / static_cast<double>(walls);  // of a channel
    const double laminar = acceleration * half * half / (2 * derived.viscosity);
    found.linear = std::min(found.linear, laminar);
    found.capped =
        std::min(found.capped, most_friction_velocities * std::sqrt(acceleration * half));
  }
  return found;
}

// An acceleration of all fluid, in lattice units.
struct Drive {
  std::string key;
  Vec3 acceleration;
  double time;  // steps in which it points one way, at its peak
  bool constant = true;
};

std::vector<Drive> drives_of(const Case& lbm_case, const Derived& derived) {
  std::vector<Drive> all;
  const Units units = make_units(lbm_case, derived);
  const auto steps = static_cast<double>(derived.steps);
  const Force& force = lbm_case.force;
  if (force.acceleration) {
    all.push_back(
        {"force.acceleration", to_lattice_acceleration(units, *force.acceleration), steps});
  }
  if (force.amplitude && force.period) {
    // The integral of a cosine over half its crest.
    const double time = to_steps(units, *force.period) / (2 * std::numbers::pi);
    all.push_back({"force.amplitude", to_lattice_acceleration(units, *force.amplitude),
                   std::min(steps, time), false});
  }
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const auto& drop = lbm_case.faces[face].pressure_drop;
    if (!drop) continue;
    Vec3 a{0, 0, 0};  // p = rho / 3
    a[face / 2] = to_density_difference(units, *drop) / 3 / lbm_case.grid.cells[face / 2];
    all.push_back({validation::face_key(face) + ".pressure_drop", a, steps});
  }
  return all;
}

}  // namespace

double ForcedSpeed::excess_over(double limit) const {
  return std::min(linear / limit, capped / limit * (capped / limit));
}

std::vector<ForcedSpeed> forced_speeds(const Case& lbm_case, const Derived& derived) {
  std::vector<ForcedSpeed> found;
  for (const auto& [key, a, time, constant] : drives_of(lbm_case, derived)) {
    ForcedSpeed all{key, 0, 0};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (a[axis] == 0) continue;
      const ForcedSpeed one = along(lbm_case, derived, axis, a[axis], time);
      all.linear = std::hypot(all.linear, one.linear);
      all.capped = std::hypot(all.capped, one.capped);
    }
    if (all.speed() > 0) found.push_back(all);
  }
  return found;
}

std::vector<WallFriction> wall_frictions(const Case& lbm_case, const Derived& derived) {
  std::vector<WallFriction> found;
  for (const auto& [key, a, time, constant] : drives_of(lbm_case, derived)) {
    for (std::size_t axis = 0; constant && axis < 3; ++axis) {
      if (!is_free(kind(lbm_case, axis, 0)) || !is_free(kind(lbm_case, axis, 1))) continue;
      const double radius = hydraulic_radius(lbm_case, derived, axis);
      const double velocity = std::sqrt(std::abs(a[axis]) * radius);
      if (velocity > 0) found.push_back({key, velocity, radius});
    }
  }
  return found;
}

}  // namespace lbm::cases
