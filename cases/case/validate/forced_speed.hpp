// SPDX-License-Identifier: Apache-2.0

// How fast forces and pressure drops can make the flow, and how much they strain its walls.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

// Upper estimate of the speed to which one key of a case drives the flow; cells per step.
struct ForcedSpeed {
  std::string key;    // "force.acceleration"
  double linear = 0;  // without friction or laminar, whichever is slower; grows with the value
  double capped = 0;  // the fastest channel that is known; grows with the root of the value

  double speed() const { return linear < capped ? linear : capped; }
  // By how much the value must be divided for that speed.
  double excess_over(double limit) const;
};

// Along the axes that have a stream: nothing holds the flow until the end of the run, or the walls
// do. Bodies hold it by an unknown friction, which is left out. So are formulas of the time. Empty
// without forces; for a case that validate() accepts.
std::vector<ForcedSpeed> forced_speeds(const Case& lbm_case, const Derived& derived);

// Friction of a developed flow along an axis: the walls balance the force on the fluid.
struct WallFriction {
  std::string key;              // "force.acceleration"
  double velocity = 0;          // friction velocity: sqrt(wall stress / density), cells per step
  double hydraulic_radius = 0;  // area / perimeter in cells: the half height of a channel
};

// Wall friction by constant forces and pressure drops. Where only bodies are walls: as in a pipe
// with the reference length as diameter.
std::vector<WallFriction> wall_frictions(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
