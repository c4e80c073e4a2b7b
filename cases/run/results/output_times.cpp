// SPDX-License-Identifier: Apache-2.0
#include "cases/run/results/output_times.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/case/limits.hpp"

namespace lbm::cases {
namespace {

// The step nearest to the m-th multiple of `interval`; at least 1.
double multiple(double m, double interval) { return std::max(1.0, std::round(m * interval)); }

// The first later step that is nearest to a multiple of `interval`.
std::int64_t next_multiple(double interval, std::int64_t step) {
  if (interval <= 1) return step + 1;
  const double begin = std::floor(static_cast<double>(step) / interval);
  for (double m = std::max(1.0, begin);; m += 1) {
    const double at = multiple(m, interval);
    if (!(at < static_cast<double>(max_steps) + 1)) return max_steps + 1;
    if (at > static_cast<double>(step)) return static_cast<std::int64_t>(at);
  }
}

// Number of steps up to `step` that are nearest to a multiple of `interval`.
std::int64_t multiples_until(double interval, std::int64_t step) {
  if (interval <= 1 || step < 1) return std::max<std::int64_t>(step, 0);
  const auto until = static_cast<double>(step);
  double m = std::floor((until + 0.5) / interval);
  while (m > 0 && multiple(m, interval) > until) m -= 1;
  while (multiple(m + 1, interval) <= until) m += 1;
  return static_cast<std::int64_t>(m);
}

}  // namespace

OutputTimes::OutputTimes(std::vector<std::int64_t> at, std::int64_t every, std::int64_t last_step,
                         double every_time)
    : at_(std::move(at)), every_(every), last_step_(last_step), every_time_(every_time) {
  std::erase_if(at_, [&](std::int64_t step) { return step < 1 || step > last_step; });
  std::sort(at_.begin(), at_.end());
  at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
}

std::optional<std::int64_t> OutputTimes::next_output_after(std::int64_t step) const {
  step = std::max<std::int64_t>(step, 0);
  if (step >= last_step_) return std::nullopt;
  std::optional<std::int64_t> next;
  const auto listed = std::upper_bound(at_.begin(), at_.end(), step);
  if (listed != at_.end()) next = *listed;
  // Subtracts instead of adding: no overflow near the largest integers.
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

bool OutputTimes::repeats_at(std::int64_t step) const {
  return (every_ > 0 && step % every_ == 0) ||
         (every_time_ > 0 && next_multiple(every_time_, step - 1) == step);
}

std::int64_t OutputTimes::repeats_until(std::int64_t step) const {
  return (every_ > 0 ? step / every_ : 0) +
         (every_time_ > 0 ? multiples_until(every_time_, step) : 0);
}

std::int64_t OutputTimes::count(std::int64_t after) const {
  after = std::max<std::int64_t>(after, 0);
  if (after >= last_step_) return 0;
  const auto single = std::count_if(
      at_.begin(), at_.end(), [&](std::int64_t step) { return step > after && !repeats_at(step); });
  return single + repeats_until(last_step_) - repeats_until(after);
}

OutputTimes schedule_of(const FieldOutput& output, const Derived& derived) {
  std::vector<std::int64_t> at;
  for (const double time : output.times) at.push_back(step_at(time, derived.steps_per_time));
  if (output.at_end) at.push_back(derived.steps);
  return {std::move(at), output.every_steps.value_or(0), derived.steps,
          output.every_time.value_or(0) * derived.steps_per_time};
}

}  // namespace lbm::cases
