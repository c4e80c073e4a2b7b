// SPDX-License-Identifier: Apache-2.0
#include "solver/lattice/boundary_condition.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lbm {

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
