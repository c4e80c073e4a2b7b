// SPDX-License-Identifier: Apache-2.0

// How fast a flow each collision model bears, as it was measured (docs/stability.md), and what
// helps a flow that is faster.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"

namespace lbm::cases {

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
