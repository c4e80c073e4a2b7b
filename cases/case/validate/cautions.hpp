// SPDX-License-Identifier: Apache-2.0

// Why the numbers of a stable run may not be those of the flow that is meant: another Reynolds
// number, walls that the grid does not resolve, a body that blocks the tunnel. And how fast forces
// and pressure drops can make the flow.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

struct Caution {
  std::string key;    // path of the key to change
  std::string brief;  // a few words, to stand beside a force; empty: a warning is enough
  std::string text;   // one sentence, for a warning
};

// For a case that validate() accepts.
std::vector<Caution> cautions(const Case& lbm_case, const Derived& derived);

// The briefs of all cautions, to stand beside each force of the case; empty: no briefs.
std::string brief_caution(const Case& lbm_case, const Derived& derived);

// Share of the cross-section of a stream between two open faces that the largest body fills; empty
// where there is no such stream or body. By the bounds of bodies; of surfaces from files by their
// reference area.
std::optional<double> blockage(const Case& lbm_case, const Derived& derived);
// "12.5 % of the cross-section; drag is some 31 % above that in an open stream": by the square of
// the speed beside the body; up to 30 %, as more is no tunnel.
std::string blockage_text(double share);

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

}  // namespace lbm::cases
