// SPDX-License-Identifier: Apache-2.0
#include "solver/boundary/inlet_turbulence.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "solver/core/vector3.hpp"

namespace lbm {
namespace {

constexpr int shells = 21;     // wave numbers, with three waves each
constexpr double widest = 16;  // largest over smallest

// Uniform in [0, 1), the same with every standard library.
double uniform(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

std::array<double, 3> direction(std::mt19937& random) {
  const double height = 2 * uniform(random) - 1, angle = 2 * std::numbers::pi * uniform(random);
  const double width = std::sqrt(1 - height * height);
  return {width * std::cos(angle), width * std::sin(angle), height};
}

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void normalise(std::array<double, 3>& a) {
  const double size = std::sqrt(dot(a, a));
  for (double& x : a) x /= size;
}

// Three orthogonal directions in random orientation.
std::array<std::array<double, 3>, 3> triad(std::mt19937& random) {
  const auto first = direction(random);
  std::array<double, 3> second;
  do {
    second = cross(first, direction(random));
  } while (std::abs(second[0]) + std::abs(second[1]) + std::abs(second[2]) < 1e-3);
  normalise(second);
  return {first, second, cross(first, second)};
}

double size_of_shell(int shell) { return std::pow(widest, (shell + 0.5) / shells); }

// Smallest wave number times the integral scale. The integral scale of the longitudinal correlation
// f of isotropic turbulence is int f dr = 3 pi / 4 times the energy-weighted mean of 1 / k.
double first_wave() {
  double energy = 0, sum = 0;
  for (int i = 0; i < shells; ++i) {
    const double k = size_of_shell(i), share = std::pow(k, -2.0 / 3);
    energy += share;
    sum += share / k;
  }
  return 0.75 * std::numbers::pi * sum / energy;
}

}  // namespace

std::vector<TurbulenceMode> turbulence_modes(const InletTurbulence& turbulence,
                                             const std::array<double, 3>& mean) {
  using std::numbers::pi;
  std::mt19937 random(turbulence.seed);
  std::vector<TurbulenceMode> modes;
  const double first = first_wave() / turbulence.length;
  const double largest = std::max(pi / 2, first);
  double squares = 0;
  for (int i = 0; i < shells; ++i) {
    // Wave numbers in equal steps of the logarithm, no wave shorter than four cells; the energy k
    // E(k) falls as k^(-2/3) (Kolmogorov).
    const double k = std::min(first * size_of_shell(i), largest);
    const double size = std::pow(k / first, -1.0 / 3);
    const auto axes = triad(random);
    // The velocity of each wave is direction the next axis: together the three waves have the same
    // energy in every direction and no shear stress.
    for (int a = 0; a < 3; ++a) {
      const auto& direction = axes[a];
      const auto& u = axes[(a + 1) % 3];
      const double phase = 2 * pi * uniform(random);
      const double turns =
          std::round(k * dot(direction, mean) / (2 * pi) * static_cast<double>(mode_period));
      modes.push_back({static_cast<float>(k * direction[0]), static_cast<float>(k * direction[1]),
                       static_cast<float>(k * direction[2]), static_cast<float>(phase),
                       static_cast<float>(size * u[0]), static_cast<float>(size * u[1]),
                       static_cast<float>(size * u[2]), static_cast<std::int32_t>(turns)});
    }
    squares += size * size / 2;  // of each component
  }
  const auto scale = static_cast<float>(turbulence.rms / std::sqrt(squares));
  for (TurbulenceMode& mode : modes) {
    mode.ux *= scale;
    mode.uy *= scale;
    mode.uz *= scale;
  }
  return modes;
}

}  // namespace lbm
