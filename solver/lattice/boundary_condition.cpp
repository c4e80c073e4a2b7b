// SPDX-License-Identifier: Apache-2.0
#include "solver/lattice/boundary_condition.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "solver/lattice/moments.hpp"

namespace lbm {

namespace {

double dot_c(int q, const double (&u)[3]) { return cx(q) * u[0] + cy(q) * u[1] + cz(q) * u[2]; }

// The common component of the velocities of some walls, none of it normal to free slip.
std::array<double, 3> common_velocity(const std::array<WallFace, 6>& faces, unsigned walls,
                                      unsigned free_slip) {
  std::array<double, 3> common{};
  bool first = true;
  for (std::size_t f = 0; f < 6; ++f) {
    if ((walls >> f & 1U) == 0) continue;
    const auto& u = faces[f].velocity;
    for (std::size_t a = 0; a < 3; ++a)
      common[a] = first ? u[a] : common_component(common[a], u[a]);
    first = false;
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if ((axes_of(free_slip) >> a & 1U) != 0) common[a] = 0;
  }
  return common;
}

}  // namespace

Walls<double> make_walls(const std::array<WallFace, 6>& faces, VelocitySet velocities,
                         bool maxwellian) {
  Walls<double> walls;
  for (int f = 0; f < 6; ++f) {
    if (faces[f].wall != faces[f ^ 1].wall) {
      throw std::invalid_argument("make_walls: one face of an axis is periodic, the other a wall");
    }
    if (faces[f].wall) walls.faces |= 1U << f;
    if (faces[f].wall && faces[f].free_slip) walls.free_slip |= 1U << f;
  }
  const unsigned solid = walls.faces & ~walls.free_slip;
  visit_set(velocities, [&](auto set) {
    for (int q = 1; q < set.directions; ++q) {
      // All subsets of the faces that q can enter.
      const unsigned entered = entered_faces(q);
      for (unsigned crossed = entered; crossed != 0; crossed = (crossed - 1) & entered) {
        const auto common = common_velocity(faces, crossed & solid, crossed & walls.free_slip);
        const double u[3] = {common[0], common[1], common[2]};
        walls.term[q][wall_set(q, crossed)] =
            6 * set.template weight<double>(q) *
            (maxwellian ? maxwell<decltype(set)>(direction(q).c, u).odd : dot_c(q, u));
      }
    }
  });
  return walls;
}

double TimeFactor::at(double t) const {
  using std::numbers::pi;
  if (kind == Kind::ramp) return t >= steps ? 1 : (1 - std::cos(pi * t / steps)) / 2;
  if (kind == Kind::wave) return std::cos(2 * pi * std::fmod(t, steps) / steps);
  return kind == Kind::function ? function->at(t) : 1;
}

bool BoundaryCondition::is_plain() const {
  if (kind == BoundaryKind::slip) return true;
  return reflects() && profile.empty() && !(turbulence.rms > 0);
}

bool BoundaryCondition::reflects() const {
  return kind == BoundaryKind::wall || kind == BoundaryKind::velocity;
}

bool FaceBoundary::has_wall() const {
  const auto is_wall = [](const auto& part) { return part.kind == BoundaryKind::wall; };
  return is_wall(condition) || std::any_of(patches.begin(), patches.end(), is_wall);
}

bool FaceBoundary::needs_boundary_pass() const {
  if (periodic()) return density_drop != 0;
  // Patches of scalars alone have the condition of the face.
  const auto differs = [&](const BoundaryCondition& patch) {
    return shifted || !patch.is_plain() || patch.kind != condition.kind ||
           patch.velocity != condition.velocity || patch.factor != condition.factor;
  };
  return !condition.is_plain() || std::any_of(patches.begin(), patches.end(), differs) ||
         is_plain_shifted();
}

bool FaceBoundary::is_plain_shifted() const {
  return shifted && condition.kind == BoundaryKind::wall && condition.is_plain() && patches.empty();
}

}  // namespace lbm
