// How fast forces and pressure drops can make the flow.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"

namespace lbm::cases {

// What one key of a case drives.
struct ForcedSpeed {
  std::string key;   // "force.acceleration"
  double speed = 0;  // upper estimate, cells per step
};

// The smallest of three estimates for each driven axis: nothing holds the flow until the end of the
// run; a laminar channel between the walls; the fastest channel that is known. Bodies hold the flow
// by an unknown friction, which is left out. So are formulas of the time. Empty without forces; for
// a case that validate() accepts.
std::vector<ForcedSpeed> forced_speeds(const Case& lbm_case);

}  // namespace lbm::cases
