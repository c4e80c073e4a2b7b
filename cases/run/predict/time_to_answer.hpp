// SPDX-License-Identifier: Apache-2.0

// Steps until a steady flow gives its answer, by the time scales that make a flow steady.
// docs/plan.md compares them with runs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "solver/boundary/boundary_view.hpp"

namespace lbm::cases {

// A time constant of a flow, in steps: what is missing of the answer falls as exp(-t / steps).
struct TimeScale {
  double steps = 0;
  double missing = 1;  // share of the answer that is missing at the start
  std::string text;    // "friction between walls 16 cells apart: distance^2 / (pi^2 viscosity)"
};

// Flow through pores, in cells. Friction takes 0.05 D^2 / viscosity steps; beyond a porosity of
// 0.4, where grains stand apart, D x (1 - porosity) / 0.6 takes the place of D. Pressure evens out
// as a wave with the wave number q: s^2 + d s + q^2 / 3 = 0 with d = porosity x viscosity / k;
// heavily damped, in 3 d / q^2 steps.
struct Pores {
  double porosity = 0, diameter = 0;  // hydraulic: 4 x volume / surface
  double viscosity = 0;
  // Kozeny and Carman: porosity^3 / (5 surface^2); Carman (1937), Trans. Inst. Chem. Eng. 15, 150.
  double permeability() const { return porosity * diameter * diameter / 80; }
  double friction_time() const;
  double pressure_time(double k, double wave_number) const;
};

// The case on its own grid, all starts as the case says but run.cascade. boundaries: of the whole
// grid. Empty: the flow is not steady, or nothing is known of it.
std::vector<TimeScale> time_scales(const Case& lbm_case, const Derived& derived,
                                   const BoundaryView& boundaries);

struct TimeToAnswer {
  double error = 0;      // relative error of the answer; with run.until_steady.tolerance its rate
  bool is_rate = false;  // `error` is per convective time
  TimeScale scale;       // the one that takes longest, or sound
  double steps = 0;
  double steps_with_coarser = 0;  // and the updates of the coarser grids in steps of this grid
  double steps_from_rest = 0;     // without run.cascade and initial.flow: darcy
};

// Empty where time_scales() are, and where the case neither has run.until_steady nor is plainly
// steady: a permeability, or a creeping flow that a force drives. Those are taken to want 0.001.
std::optional<TimeToAnswer> time_to_answer(const Case& lbm_case, const Derived& derived,
                                           const BoundaryView& boundaries);

}  // namespace lbm::cases
