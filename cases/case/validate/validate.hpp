// SPDX-License-Identifier: Apache-2.0

// Checks a whole case, from a file or built in code.
//
// cautions.cpp: why the numbers of a stable run may not be those of the flow that is meant: another
// Reynolds number, walls that the grid does not resolve, a body that blocks the tunnel; and how
// fast forces and pressure drops can make the flow. stability.cpp: how fast a flow each collision
// model bears, as it was measured (docs/stability.md), and what helps a flow that is faster.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/case_location.hpp"  // where()
#include "cases/case/units.hpp"

namespace lbm::cases {

// Throws UsageError for a missing required key, none or several of exclusive keys, keys that
// conflict with the units, with each other, or with the type of a face, the shape of a body or the
// quantity of an expectation, unknown names, and circular combinations of bodies.
void validate_structure(const Case& lbm_case);

// Returns the derived numbers of the case, which all later stages take from here. Throws UsageError
// for the first error found: a value outside the key table, a wrong structure,
// z-planes that are too large, a velocity above Mach 0.3, a relaxation time of 1/2 in the
// arithmetic of the storage, host memory that the CPU backend lacks, too many steps, a time after
// the end, a patch or point outside its face or the box, a body that misses the box, an inlet
// without an outlet, a missing file.
Derived validate(const Case& lbm_case);

// Unusual settings that are allowed; one line each. derived: of validate().
std::vector<std::string> warnings(const Case& lbm_case, const Derived& derived);

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

// Largest cell Reynolds numbers (speed / viscosity, both in lattice units) at which flows were
// stable; the speed is that of the wall, or the largest one of an inlet.
struct StableSpeeds {
  double moving_walls = 0, open_faces = 0;
  // Where no speed is known: the largest 1 / (tau - 1/2); above, the model hardly damps modes of
  // the grid scale.
  double without_speed = 0;
};

StableSpeeds stable_speeds(const LatticeKeys& lattice);

// Speed over viscosity, both in lattice units, of a wall or an inlet.
struct CellReynolds {
  std::string key;    // path of the key that sets the speed
  const char* where;  // "along moving walls", "through open faces"
  double number = 0;
  double stable = 0;  // largest stable number of the case's collision model
};

// Cell Reynolds numbers of moving walls and the fastest inlet; for a case that validate() accepts.
std::vector<CellReynolds> cell_reynolds_numbers(const Case& lbm_case, const Derived& derived);

// A setting that makes the run unstable, as far as is known.
struct Instability {
  std::string key;   // path of the key that sets the speed or the viscosity
  std::string text;  // one sentence: the number, its limit and the remedy
  double excess;     // how far beyond its limit: 1 is at it
};

// For a case that validate() accepts; the worst one first. Walls that move and open faces are
// judged by their cell Reynolds number; flows without either by the relaxation time.
std::vector<Instability> expected_instabilities(const Case& lbm_case, const Derived& derived);

// Remedy for a flow of the case that has diverged: one sentence without a full stop. mach: Mach
// number of the fastest cell at the last sample of the flow; 0: unknown.
std::string remedy_for_divergence(const Case& lbm_case, const Derived& derived, double mach = 0);

}  // namespace lbm::cases
