#include "solver/lattice/face_spec.hpp"

#include <cmath>
#include <numbers>

namespace lbm {

double TimeFactor::at(double t) const {
  using std::numbers::pi;
  if (kind == Kind::ramp) return t >= steps ? 1 : (1 - std::cos(pi * t / steps)) / 2;
  if (kind == Kind::wave) return std::cos(2 * pi * std::fmod(t, steps) / steps);
  return 1;
}

bool FaceRule::is_plain() const {
  if (kind == FaceKind::slip) return true;
  const bool wall = kind == FaceKind::wall || kind == FaceKind::velocity;
  return wall && profile.empty() && !(turbulence.rms > 0);
}

bool FaceSpec::is_special() const {
  if (periodic()) return density_drop != 0;
  return !rule.is_plain() || !patches.empty();
}

}  // namespace lbm
