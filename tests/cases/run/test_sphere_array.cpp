// SPDX-License-Identifier: Apache-2.0

// The permeability of a periodic pack of spheres from an image of voxels: beside Stokes flow, over
// the viscosity, and by what drives the flow. tests/gpu/sphere_arrays.py has finer grids.
#include <yaml-cpp/yaml.h>

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

constexpr int n = 16;

struct Sphere {
  std::array<double, 3> centre;
  double radius;
};

// 1 in the spheres, which a periodic cube repeats, else 0.
std::string image(const std::vector<Sphere>& spheres) {
  std::string labels;
  const auto holds = [&](const Sphere& sphere, const std::array<double, 3>& point) {
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double d = std::remainder(point[a] - sphere.centre[a], n);
      square += d * d;
    }
    return square < sphere.radius * sphere.radius;
  };
  for (int i = 0; i < n * n * n; ++i) {
    const std::array<double, 3> point{i % n + 0.5, i / n % n + 0.5, i / (n * n) + 0.5};
    labels += static_cast<char>(std::any_of(spheres.begin(), spheres.end(),
                                            [&](const Sphere& s) { return holds(s, point); }));
  }
  return labels;
}

// Lattice units: an acceleration, and how it drives the flow.
double permeability(const std::vector<Sphere>& spheres, double tau, int steps, double acceleration,
                    bool by_pressure = false) {
  const double velocity = 1e-3, unit = velocity * velocity / n;
  const std::string z_min =
      by_pressure ? fmt::format("{{type: periodic, pressure_drop: {}}}", acceleration / unit)
                  : "periodic";
  const std::string force =
      by_pressure ? "" : fmt::format("force: {{acceleration: [0, 0, {}]}}", acceleration / unit);
  const Runs runs(fmt::format(R"(
name: spheres
grid: {{cells: [{0}, {0}, {0}]}}
boundaries: {{x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: {1}, z_max: periodic}}
bodies: {{spheres: {{shape: voxels, file: spheres.raw, cells: [{0}, {0}, {0}], fluid: [0]}}}}
fluid: {{tau: {2}, lattice_velocity: {3}}}
lattice: {{collision: trt, storage: fp64}}
{4}
run: {{steps: {5}}}
output: {{at_end: false, profiles: false}}
quantities: {{k: {{kind: permeability}}}}
)",
                              n, z_min, tau, velocity, force, steps));
  lbm::testing::write_text(runs.path("spheres.raw"), image(spheres));
  const Outcome outcome = runs.run("o");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return YAML::Load(runs.text("o/report.json"))["quantities"][0]["value"].as<double>();
}

// A simple cubic array with 21.6 % solid, at no special place between the cells.
const std::vector<Sphere> simple_cubic{
    {{4.31, 4.17, 4.43}, n* std::cbrt(0.216 * 0.75 / std::numbers::pi)}};

// Zick & Homsy (1982), J. Fluid Mech. 115, 13: F / (6 pi mu a U) = 7.442. 16 voxels are 3 % below.
TEST(SphereArray, HasThePermeabilityOfStokesFlow) {
  const double known = n * n * n / (6 * std::numbers::pi * simple_cubic[0].radius * 7.442);
  const double k = permeability(simple_cubic, 1, 800, 1e-6);
  EXPECT_NEAR(k, known, 0.035 * known);
}

// With bgk the three differ by half of the value.
TEST(SphereArray, HasThePermeabilityOfAnyViscosity) {
  const double k = permeability(simple_cubic, 1, 800, 1e-6);
  EXPECT_NEAR(permeability(simple_cubic, 0.6, 3500, 1e-7), k, 1e-4 * k);
  EXPECT_NEAR(permeability(simple_cubic, 2, 400, 1e-5), k, 1e-4 * k);
}

TEST(SphereArray, HasThePermeabilityOfAnyDrive) {
  const std::vector<Sphere> pack{{{2.2, 3.1, 4.7}, 4.2},
                                 {{9.6, 5.3, 1.8}, 3.7},
                                 {{5.9, 12.4, 10.1}, 5.1},
                                 {{13.3, 9.9, 8.2}, 4.4}};
  const double k = permeability(pack, 1, 800, 1e-6);
  EXPECT_GT(k, 0.1);
  EXPECT_NEAR(permeability(pack, 1, 800, 1e-6, true), k, 0.01 * k);
}

}  // namespace
}  // namespace lbm::cases::test
