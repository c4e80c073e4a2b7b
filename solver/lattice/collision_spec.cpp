#include "solver/lattice/collision_spec.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lbm {
namespace {

bool nonzero(const std::array<double, 3>& v) {
  return std::any_of(v.begin(), v.end(), [](double x) { return x != 0; });
}

}  // namespace

bool BodyForce::any() const { return nonzero(mean) || changes(); }

bool BodyForce::changes() const { return period > 0 && nonzero(amplitude); }

std::array<double, 3> BodyForce::at(double step) const {
  if (!changes()) return mean;
  const double wave = std::cos(2 * std::numbers::pi * std::fmod(step, period) / period);
  return {mean[0] + amplitude[0] * wave, mean[1] + amplitude[1] * wave,
          mean[2] + amplitude[2] * wave};
}

}  // namespace lbm
