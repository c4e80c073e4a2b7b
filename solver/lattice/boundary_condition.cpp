#include "solver/lattice/boundary_condition.hpp"

#include <cmath>
#include <numbers>

namespace lbm {

double TimeFactor::at(double t) const {
  using std::numbers::pi;
  if (kind == Kind::ramp) return t >= steps ? 1 : (1 - std::cos(pi * t / steps)) / 2;
  if (kind == Kind::wave) return std::cos(2 * pi * std::fmod(t, steps) / steps);
  return 1;
}

bool BoundaryCondition::is_plain() const {
  if (kind == BoundaryKind::slip) return true;
  const bool wall = kind == BoundaryKind::wall || kind == BoundaryKind::velocity;
  return wall && profile.empty() && !(turbulence.rms > 0);
}

bool FaceBoundary::needs_boundary_pass() const {
  if (periodic()) return density_drop != 0;
  return !condition.is_plain() || !patches.empty();
}

}  // namespace lbm
