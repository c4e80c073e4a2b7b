#include "solver/lattice/boundary_condition.hpp"

#include <algorithm>
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
  return reflects() && profile.empty() && !(turbulence.rms > 0);
}

bool BoundaryCondition::reflects() const {
  return kind == BoundaryKind::wall || kind == BoundaryKind::velocity;
}

bool FaceBoundary::reflects() const {
  return condition.reflects() || std::any_of(patches.begin(), patches.end(),
                                             [](const auto& patch) { return patch.reflects(); });
}

bool FaceBoundary::needs_boundary_pass() const {
  if (periodic()) return density_drop != 0;
  return !condition.is_plain() || !patches.empty() || is_plain_filtered();
}

bool FaceBoundary::is_plain_filtered() const {
  return filtered && condition.reflects() && condition.is_plain() && patches.empty();
}

}  // namespace lbm
