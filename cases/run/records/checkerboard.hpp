// SPDX-License-Identifier: Apache-2.0

// Watches for a checkerboard: an instability whose velocity changes its sign from cell to cell. It
// may stay inside the limits of density and speed, so that nothing else stops the run.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/run/records/notices.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

// Sums over the fluid, in lattice units; those along y and z are estimates.
struct Differences {
  // Along one axis, the sums of squares of u(i+1) - u(i-1) and of u(i-1) - 2 u(i) + u(i+1).
  struct Squares {
    double first = 0, second = 0;
  };
  std::array<Squares, 3> axes;
  double energy = 0;  // sum of rho u^2 / 2
};

// record: of a sample of the whole box, which has so many cells.
Differences differences_of(std::span<const std::int64_t> record, std::int64_t cells);

// How much the velocity alternates along the axis where it does so most.
struct Alternation {
  // Mean of sin^2(k / 2) over the wave numbers k of the velocity (radians per cell), weighted with
  // the energy of its gradient: 0 smooth, 3/4 random in each cell, 1 checkerboard. 0 where the
  // alternating part is too small to matter.
  double value = 0;
  int axis = 0;
};

// fluid_cells: of the box. velocity: the reference velocity in lattice units.
Alternation alternation_of(const Differences& differences, double fluid_cells, double velocity);

// The values are finite, but the flow is wrong.
struct CheckerboardError : DivergedError {
  using DivergedError::DivergedError;
};

// A restart begins anew: the samples between two steps depend on where sweeps end, and a checkpoint
// has the same bytes wherever they do.
class CheckerboardWatch {
 public:
  // All must outlive it.
  CheckerboardWatch(const Case& lbm_case, const Derived& derived, Notices& notices)
      : case_(lbm_case), derived_(derived), notices_(notices) {}

  // Samples come in the order of steps. Warns once where the flow has become a checkerboard. Throws
  // CheckerboardError where it remains one, unless the case says run.on_checkerboard: warn.
  void add(std::int64_t step, const Alternation& sample);

 private:
  const Case& case_;
  const Derived& derived_;
  Notices& notices_;
  double mean_ = 0;                       // of Alternation::value, the newest samples weigh most
  std::int64_t since_ = 0, samples_ = 0;  // first step and number of alternating samples in a row
  bool warned_ = false;
};

}  // namespace lbm::cases
