// SPDX-License-Identifier: Apache-2.0

// How fast forces and pressure drops can make the flow.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// What one key of a case drives, estimated from above; cells per step.
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
std::vector<ForcedSpeed> forced_speeds(const Case& lbm_case);

}  // namespace lbm::cases
