// SPDX-License-Identifier: Apache-2.0
#include "solver/lattice/boundary_condition.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace lbm {

namespace {

double dot_c(int q, const std::array<double, 3>& u) {
  return d3q19::cx(q) * u[0] + d3q19::cy(q) * u[1] + d3q19::cz(q) * u[2];
}

}  // namespace

Walls<double> make_walls(const std::array<WallFace, 6>& faces) {
  Walls<double> walls;
  for (int f = 0; f < 6; ++f) {
    if (faces[f].wall != faces[f ^ 1].wall) {
      throw std::invalid_argument("make_walls: one face of an axis is periodic, the other a wall");
    }
    if (faces[f].wall) walls.faces |= 1U << f;
    if (faces[f].wall && faces[f].free_slip) walls.free_slip |= 1U << f;
  }
  const unsigned solid = walls.faces & ~walls.free_slip;
  for (int q = 1; q < d3q19::directions; ++q) {
    const double weight = 6 * d3q19::weight<double>(q);
    std::array<double, 3> common{};
    int count = 0;
    const unsigned slip = entered_faces(q) & walls.free_slip;
    for (int f = 0; f < 6; ++f) {
      const unsigned bit = 1U << f;
      if ((entered_faces(q) & solid & bit) == 0) continue;
      const auto& u = faces[f].velocity;
      walls.term[q][wall_set(q, bit)] = weight * dot_c(q, u);
      for (int a = 0; a < 3; ++a) common[a] = count == 0 ? u[a] : common_component(common[a], u[a]);
      ++count;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      if ((axes_of(slip) >> a & 1U) != 0) common[a] = 0;
    }
    walls.term[q][3] = weight * dot_c(q, common);
  }
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
  return !condition.is_plain() || !patches.empty() || is_plain_shifted();
}

bool FaceBoundary::is_plain_shifted() const {
  return shifted && condition.kind == BoundaryKind::wall && condition.is_plain() && patches.empty();
}

}  // namespace lbm
