// SPDX-License-Identifier: Apache-2.0
#include "cases/case/derived.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/limits.hpp"

namespace lbm::cases {
namespace {

double si_velocity(const Case& lbm_case) { return lbm_case.fluid.velocity.value_or(0); }

// Exactly one of the three is given; sets the other two.
void set_viscosity(const Case& lbm_case, double cell, Derived& d) {
  const Fluid& fluid = lbm_case.fluid;
  if (fluid.tau) {
    d.tau = *fluid.tau;
    d.viscosity = (d.tau - 0.5) / 3;
    d.reynolds = d.velocity * d.length / d.viscosity;
    return;
  }
  if (fluid.viscosity) {
    const bool si = lbm_case.units == UnitSystem::si;
    const double unit = si ? cell * si_velocity(lbm_case) / d.velocity : 1;
    d.viscosity = *fluid.viscosity / unit;
    d.reynolds = d.velocity * d.length / d.viscosity;
  } else {
    d.reynolds = fluid.reynolds.value_or(0);
    d.viscosity = d.velocity * d.length / d.reynolds;
  }
  d.tau = 3 * d.viscosity + 0.5;
}

}  // namespace

double cell_size(const Case& lbm_case) {
  if (lbm_case.units == UnitSystem::lattice) return 1;
  const Grid& grid = lbm_case.grid;
  if (grid.spacing) return *grid.spacing;
  if (!grid.cells_per_length || !lbm_case.fluid.length) return 0;
  return *lbm_case.fluid.length / *grid.cells_per_length;
}

std::int64_t step_at(double time, double steps_per_time) {
  const double step = std::round(time * steps_per_time);
  if (!(step < static_cast<double>(max_steps) + 1)) return max_steps + 1;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(step));
}

bool misses_target(const Case& lbm_case, const Derived& derived) {
  const auto& target = lbm_case.fluid.target_reynolds;
  return target && std::abs(derived.reynolds / *target - 1) > 0.01;
}

std::string reynolds_text(const Case& lbm_case, const Derived& derived) {
  std::string text = fmt::format("{:.6g}", derived.reynolds);
  if (!misses_target(lbm_case, derived)) return text;
  return text + fmt::format(" (target {:.6g})", *lbm_case.fluid.target_reynolds);
}

Derived derive(const Case& lbm_case) {
  const Fluid& fluid = lbm_case.fluid;
  const double cell = cell_size(lbm_case);
  Derived d;
  d.length = fluid.length ? *fluid.length / cell : static_cast<double>(lbm_case.grid.cells[0]);
  d.velocity = fluid.lattice_velocity;
  set_viscosity(lbm_case, cell, d);
  d.omega = 1 / d.tau;
  d.mach = d.velocity * std::sqrt(3.0);
  d.convective_time = d.length / d.velocity;
  const bool si = lbm_case.units == UnitSystem::si;
  d.steps_per_time = si ? si_velocity(lbm_case) / d.velocity / cell : d.convective_time;
  const Run& run = lbm_case.run;
  d.steps = run.steps  ? *run.steps
            : run.time ? step_at(*run.time, d.steps_per_time)
                       : step_at(run.convective_times.value_or(0), d.convective_time);
  d.duration = static_cast<double>(d.steps) / d.convective_time;
  return d;
}

}  // namespace lbm::cases
