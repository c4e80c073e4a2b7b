// SPDX-License-Identifier: Apache-2.0

// A ball that sinks freely in a closed box.
#pragma once

#include <string>

namespace lbm::cases::test {

inline const std::string ball = R"(
name: ball
grid: {cells: [20, 20, 32]}
bodies:
  ball: {shape: sphere, center: [9.7, 10, 22], radius: 4, free: {density_ratio: 1.3, gravity: [0.2, 0, -2]}}
fluid: {reynolds: 20, length: 8, lattice_velocity: 0.05}
lattice: {collision: trt}
run: {steps: 160}
output: {at_end: false}
quantities:
  height: {kind: body_position, bodies: [ball], direction: [0, 0, 1], every_steps: 10}
)";

}  // namespace lbm::cases::test
