// SPDX-License-Identifier: Apache-2.0
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

bool BodyForce::changes() const {
  return (period > 0 && nonzero(amplitude)) ||
         std::any_of(functions.begin(), functions.end(),
                     [](const auto& f) { return f != nullptr; });
}

std::array<double, 3> BodyForce::at(double step) const {
  std::array<double, 3> force = mean;
  if (period > 0 && nonzero(amplitude)) {
    const double wave = std::cos(2 * std::numbers::pi * std::fmod(step, period) / period);
    for (std::size_t i = 0; i < 3; ++i) force[i] += amplitude[i] * wave;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (functions[i]) force[i] += functions[i]->at(step);
  }
  return force;
}

}  // namespace lbm
