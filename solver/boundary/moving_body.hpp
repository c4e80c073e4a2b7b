// SPDX-License-Identifier: Apache-2.0

// Bodies that move through the lattice: the part of a cell that a body fills, sampled once in the
// frame of the body, and the place of that frame at each step. No cell of theirs is solid: the
// update mixes the fluid of a cell with the body (solver/update/immersed_cells.hpp).
//
// Lengths are in cells, times in steps. The centre of cell (i, j, k) is at (i + 1/2, j + 1/2,
// k + 1/2).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace lbm {

// Samples of the solid fraction of a cell whose centre lies at the sample, in the frame of a body.
struct SolidFraction {
  // 1 along an axis on which the body is infinite.
  std::array<int, 3> samples{};
  std::array<double, 3> first{};  // place of the first sample
  double spacing = 0.5;
  // 255: the whole cell. x is fastest. Samples at the ends of an axis are 0 unless it has one.
  std::vector<std::uint8_t> values;
};

// Where the frame of a body is: p in the frame lies at center + rotation (p - pivot) in the box.
struct BodyPlace {
  std::array<std::array<double, 3>, 3> rotation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // rows
  std::array<double, 3> center{};
  std::array<double, 3> velocity{};          // of the center
  std::array<double, 3> angular_velocity{};  // radians per step
};

class FreeBody;

struct MovingBody {
  SolidFraction fraction;
  std::array<double, 3> pivot{};  // centre of the rotation in the frame; torques refer to it
  // The place at a time; a pure function. Called from several threads.
  std::function<BodyPlace(double step)> place;
  // The state of a body that moves freely: its place() is that state, whatever the time. Else
  // null.
  std::shared_ptr<FreeBody> free = {};
};

}  // namespace lbm
