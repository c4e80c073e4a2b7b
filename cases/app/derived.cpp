#include "cases/app/derived.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/app/limits.hpp"
#include "cases/app/units.hpp"

namespace lbm::app {
namespace {

OutputSchedule output_schedule(const Output& output, double steps_per_time, std::int64_t steps) {
  std::vector<std::int64_t> at;
  for (const double time : output.times) at.push_back(step_at(time, steps_per_time));
  if (output.at_end) at.push_back(steps);
  return {std::move(at), output.every_steps.value_or(0), steps};
}

// The first step > step nearest to a multiple of `interval` steps.
std::int64_t next_multiple(double interval, std::int64_t step) {
  const double begin = std::floor(static_cast<double>(step) / interval);
  for (double m = std::max(1.0, begin);; m += 1) {
    const double at = std::max(1.0, std::round(m * interval));
    if (!(at < static_cast<double>(max_steps) + 1)) return max_steps + 1;
    if (at > static_cast<double>(step)) return static_cast<std::int64_t>(at);
  }
}

double si_velocity(const Case& lbm_case) { return lbm_case.fluid.velocity.value_or(0); }

// One of the three is given; the others follow.
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

OutputSchedule::OutputSchedule(std::vector<std::int64_t> at, std::int64_t every,
                               std::int64_t last_step, double every_time)
    : at_(std::move(at)), every_(every), last_step_(last_step), every_time_(every_time) {
  std::erase_if(at_, [&](std::int64_t step) { return step < 1 || step > last_step; });
  std::sort(at_.begin(), at_.end());
  at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
}

std::optional<std::int64_t> OutputSchedule::next_output_after(std::int64_t step) const {
  step = std::max<std::int64_t>(step, 0);
  if (step >= last_step_) return std::nullopt;
  std::optional<std::int64_t> next;
  const auto listed = std::upper_bound(at_.begin(), at_.end(), step);
  if (listed != at_.end()) next = *listed;
  // Subtracting keeps `step` near the largest integers from overflowing.
  if (every_ > 0 && every_ - step % every_ <= last_step_ - step) {
    const std::int64_t repeated = step + (every_ - step % every_);
    next = next ? std::min(*next, repeated) : repeated;
  }
  if (every_time_ > 0) {
    const auto timed = next_multiple(every_time_, step);
    if (timed <= last_step_) next = next ? std::min(*next, timed) : timed;
  }
  return next;
}

std::int64_t OutputSchedule::count(std::int64_t after) const {
  if (after >= last_step_) return 0;
  const auto extra = std::count_if(at_.begin(), at_.end(), [&](std::int64_t step) {
    return step > after && (every_ <= 0 || step % every_ != 0);
  });
  const auto timed = [&](std::int64_t until) {
    return every_time_ > 0 ? static_cast<std::int64_t>(static_cast<double>(until) / every_time_)
                           : 0;
  };
  const std::int64_t repeated = every_ > 0 ? last_step_ / every_ - after / every_ : 0;
  return repeated + extra + timed(last_step_) - timed(after);
}

std::int64_t step_at(double time, double steps_per_time) {
  const double step = std::round(time * steps_per_time);
  if (!(step < static_cast<double>(max_steps) + 1)) return max_steps + 1;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(step));
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
  d.outputs = output_schedule(lbm_case.output, d.steps_per_time, d.steps);
  return d;
}

}  // namespace lbm::app
