// SPDX-License-Identifier: Apache-2.0

// Fluid at rest under gravity: its pressure at every speed of the units, and beside bodies.
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

// A column of 32 cells; the pressure rises by 0.048 / 12 a cell, in units of rho U^2.
std::string column(const char* storage, const char* collision, double velocity) {
  return fmt::format(R"(
name: column
grid: {{cells: [6, 5, 32]}}
force: {{acceleration: [0, 0, -0.048]}}
initial: {{flow: formula, velocity: [0, 0, 0], pressure: "-0.048 * (z - 16) / 12"}}
fluid: {{tau: 0.8, length: 12, lattice_velocity: {}}}
lattice: {{collision: {}, storage: {}}}
run: {{steps: 400}}
output: {{at_end: false}}
quantities:
  top: {{kind: point, field: pressure, point: [3, 2.5, 31.5]}}
  bottom: {{kind: mean, field: pressure, slice: z, at: 0.5}}
)",
                     velocity, collision, storage);
}

TEST(Pressure, OfAColumnAtRestIsExactAtEverySpeedOfTheUnits) {
  const double right = 0.048 * 15.5 / 12;
  for (const char* storage : {"fp32", "fp64"}) {
    for (const char* collision : {"trt", "regularised"}) {  // populations, moments
      for (const double velocity : {5e-2, 5e-4, 5e-7}) {
        const Runs runs(column(storage, collision, velocity));
        const Outcome outcome = runs.run("o", "--json");
        ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
        const YAML::Node report = YAML::Load(outcome.out);
        const auto value = [&](int i) { return report["quantities"][i]["value"].as<double>(); };
        EXPECT_NEAR(value(0), -right, 1e-4 * right) << storage << collision << velocity;
        EXPECT_NEAR(value(1), right, 1e-4 * right) << storage << collision << velocity;
      }
    }
  }
}

// A sphere in a closed box under gravity, 3000 steps from rest.
TEST(Pressure, HoldsFluidAtRestBesideBodiesOfAllWalls) {
  for (const char* walls : {"staircase", "interpolated", "conserving", "multireflection"}) {
    for (const char* collision : {"bgk", "trt", "regularised"}) {
      const Runs runs(fmt::format(R"(
name: sphere
grid: {{cells: [18, 18, 18]}}
force: {{acceleration: [0.02, 0, -0.05]}}
bodies: {{s: {{shape: sphere, center: [9.3, 8.8, 9.1], radius: 4.2, walls: {}}}}}
fluid: {{tau: 0.8, length: 10, lattice_velocity: 0.02}}
lattice: {{collision: {}, storage: fp64}}
run: {{steps: 3000}}
output: {{at_end: false, monitor: 3000}}
)",
                                  walls, collision));
      const Outcome outcome = runs.run("o");
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      std::string text = runs.text("o/monitor.csv");
      text = text.substr(text.rfind("\n3000,") + 1);
      std::replace(text.begin(), text.end(), ',', ' ');
      std::istringstream words(text);
      std::vector<double> numbers;
      for (double number; words >> number;) numbers.push_back(number);
      ASSERT_GT(numbers.size(), 7U);
      EXPECT_LT(numbers[7], 1e-6) << walls << " " << collision << ", largest speed";  // of U
    }
  }
}

}  // namespace
}  // namespace lbm::cases::test
