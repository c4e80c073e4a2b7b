#include "solver/lattice/boundary/inlet_turbulence.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace lbm {
namespace {

constexpr int mode_count = 64;

// Uniform in [0, 1), the same with every standard library.
double uniform(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

std::array<double, 3> direction(std::mt19937& random) {
  const double height = 2 * uniform(random) - 1, angle = 2 * std::numbers::pi * uniform(random);
  const double width = std::sqrt(1 - height * height);
  return {width * std::cos(angle), width * std::sin(angle), height};
}

std::array<double, 3> cross(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

std::vector<TurbulenceMode> turbulence_modes(const InletTurbulence& turbulence,
                                             const std::array<double, 3>& mean) {
  using std::numbers::pi;
  std::mt19937 random(turbulence.seed);
  std::vector<TurbulenceMode> modes;
  std::array<double, 3> squares{};
  for (int i = 0; i < mode_count; ++i) {
    // Wave numbers in equal steps of the logarithm, half to eight times that of the integral scale,
    // none shorter than four cells; amplitudes fall as k^(-1/3), the root of k E(k) of Kolmogorov.
    const double share = (i + 0.5) / mode_count;
    const double largest = std::max(pi / 2, pi / turbulence.length);
    const double k = std::min(pi / turbulence.length * std::pow(16.0, share), largest);
    const auto along = direction(random);
    auto amplitude = cross(along, direction(random));
    const double size = std::pow(k * turbulence.length, -1.0 / 3) /
                        std::max(1e-9, std::sqrt(dot(amplitude, amplitude)));
    for (double& a : amplitude) a *= size;
    const double phase = 2 * pi * uniform(random);
    const double turns =
        std::round(k * dot(along, mean) / (2 * pi) * static_cast<double>(mode_period));
    modes.push_back({static_cast<float>(k * along[0]), static_cast<float>(k * along[1]),
                     static_cast<float>(k * along[2]), static_cast<float>(phase),
                     static_cast<float>(amplitude[0]), static_cast<float>(amplitude[1]),
                     static_cast<float>(amplitude[2]), static_cast<std::int32_t>(turns)});
    for (int a = 0; a < 3; ++a) squares[a] += amplitude[a] * amplitude[a] / 2;
  }
  // One factor for all components: each wave stays divergence-free.
  const double rms = std::sqrt((squares[0] + squares[1] + squares[2]) / 3);
  const auto scale = static_cast<float>(turbulence.rms / rms);
  for (TurbulenceMode& mode : modes) {
    mode.ux *= scale;
    mode.uy *= scale;
    mode.uz *= scale;
  }
  return modes;
}

}  // namespace lbm
