// SPDX-License-Identifier: Apache-2.0

// A porous sample whose pressure needs long, for tests of ways to have it sooner.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {

// Two narrow throats between wide pores along z, 12 x 8 x 96 cells, periodic. Without `lattice` and
// `run`.
inline const std::string throats_box = R"yaml(
name: throats
grid: {cells: [12, 8, 96]}
boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: periodic, z_max: periodic}
bodies:
  floor: {shape: box, center: [1, 4, 48], size: [2, 8, 96], walls: staircase}
  low: {shape: box, center: [7, 4, 20], size: [8, 8, 16], walls: staircase}
  high: {shape: box, center: [6, 4, 60], size: [6, 8, 8], walls: staircase}
fluid: {tau: 1.5, length: 10, lattice_velocity: 0.0005}
force: {acceleration: [0, 0, 0.05]}
output: {profiles: false}
quantities: {k: {kind: permeability}}
)yaml";

// Runs the case into that directory and returns its permeability.
inline double permeability(const Runs& runs, const std::string& name, const std::string& options) {
  const Outcome outcome = runs.run(name, options);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return YAML::Load(runs.text(name + "/report.json"))["quantities"][0]["value"].as<double>();
}

}  // namespace lbm::cases::test
