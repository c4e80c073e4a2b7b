#include "cases/case/validate/forced_speed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "cases/case/derived.hpp"
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

bool is_free(BoundaryKind type) {
  return type == BoundaryKind::periodic || type == BoundaryKind::pressure ||
         type == BoundaryKind::outflow;
}

// Peak of a channel between the walls normal to one axis; infinite without such a wall.
double held_by_walls(const Case& lbm_case, const Derived& derived, std::size_t normal,
                     double acceleration) {
  const int walls = static_cast<int>(kind(lbm_case, normal, 0) == BoundaryKind::wall) +
                    static_cast<int>(kind(lbm_case, normal, 1) == BoundaryKind::wall);
  if (walls == 0) return std::numeric_limits<double>::infinity();
  const double half = lbm_case.grid.cells[normal] / static_cast<double>(walls);  // of a channel
  const double laminar = acceleration * half * half / (2 * derived.viscosity);
  return std::min(laminar, most_friction_velocities * std::sqrt(acceleration * half));
}

// time: steps in which the acceleration points one way, at its peak.
double speed_along(const Case& lbm_case, const Derived& derived, std::size_t axis,
                   double acceleration, double time) {
  // A closed axis has no stream, and an inlet its own.
  if (!is_free(kind(lbm_case, axis, 0)) || !is_free(kind(lbm_case, axis, 1))) return 0;
  double speed = std::abs(acceleration) * time;
  for (std::size_t normal = 0; normal < 3; ++normal) {
    if (normal == axis) continue;
    speed = std::min(speed, held_by_walls(lbm_case, derived, normal, std::abs(acceleration)));
  }
  return speed;
}

}  // namespace

std::vector<ForcedSpeed> forced_speeds(const Case& lbm_case) {
  std::vector<ForcedSpeed> found;
  const Derived derived = derive(lbm_case);
  const Units units = make_units(lbm_case, derived);
  const auto steps = static_cast<double>(derived.steps);
  const auto add = [&](const char* key, const std::optional<Vec3>& value, double time) {
    if (!value) return;
    const Vec3 a = to_lattice_acceleration(units, *value);
    double speed = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      speed = std::hypot(speed, speed_along(lbm_case, derived, axis, a[axis], time));
    }
    if (speed > 0) found.push_back({key, speed});
  };
  add("force.acceleration", lbm_case.force.acceleration, steps);
  if (lbm_case.force.period) {
    // The integral of a cosine over half its crest.
    const double time = to_steps(units, *lbm_case.force.period) / (2 * std::numbers::pi);
    add("force.amplitude", lbm_case.force.amplitude, std::min(steps, time));
  }
  for (std::size_t face = 0; face < lbm_case.faces.size(); ++face) {
    const auto& drop = lbm_case.faces[face].pressure_drop;
    if (!drop) continue;
    // p = rho / 3.
    const double acceleration =
        to_density_difference(units, *drop) / 3 / lbm_case.grid.cells[face / 2];
    const double speed = speed_along(lbm_case, derived, face / 2, acceleration, steps);
    if (speed > 0) found.push_back({validation::face_key(face) + ".pressure_drop", speed});
  }
  return found;
}

}  // namespace lbm::cases
