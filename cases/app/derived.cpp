#include "cases/app/derived.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/app/limits.hpp"

namespace lbm::app {
namespace {

OutputSchedule output_schedule(const Output& output, double convective_time, std::int64_t steps) {
  std::vector<std::int64_t> at;
  for (const double time : output.times) at.push_back(step_at(time, convective_time));
  if (output.at_end) at.push_back(steps);
  return {std::move(at), output.every_steps.value_or(0), steps};
}

}  // namespace

OutputSchedule::OutputSchedule(std::vector<std::int64_t> at, std::int64_t every,
                               std::int64_t last_step)
    : at_(std::move(at)), every_(every), last_step_(last_step) {
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
  return next;
}

std::int64_t OutputSchedule::count() const {
  if (every_ <= 0) return static_cast<std::int64_t>(at_.size());
  const auto extra =
      std::count_if(at_.begin(), at_.end(), [&](std::int64_t step) { return step % every_ != 0; });
  return last_step_ / every_ + extra;
}

std::int64_t step_at(double time, double convective_time) {
  const double step = std::round(time * convective_time);
  if (!(step < static_cast<double>(max_steps) + 1)) return max_steps + 1;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(step));
}

Derived derive(const Case& lbm_case) {
  const Fluid& fluid = lbm_case.fluid;
  Derived d;
  d.length = fluid.length.value_or(static_cast<double>(lbm_case.grid.cells[0]));
  d.velocity = fluid.lattice_velocity;
  if (fluid.tau) {
    d.tau = *fluid.tau;
    d.viscosity = (d.tau - 0.5) / 3;
    d.reynolds = d.velocity * d.length / d.viscosity;
  } else {
    d.reynolds = fluid.reynolds.value_or(0);
    d.viscosity = d.velocity * d.length / d.reynolds;
    d.tau = 3 * d.viscosity + 0.5;
  }
  d.omega = 1 / d.tau;
  d.mach = d.velocity * std::sqrt(3.0);
  d.convective_time = d.length / d.velocity;
  const Run& run = lbm_case.run;
  d.steps = run.steps ? *run.steps : step_at(run.convective_times.value_or(0), d.convective_time);
  d.duration = static_cast<double>(d.steps) / d.convective_time;
  d.outputs = output_schedule(lbm_case.output, d.convective_time, d.steps);
  return d;
}

}  // namespace lbm::app
