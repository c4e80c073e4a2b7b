// SPDX-License-Identifier: Apache-2.0
#include "cases/run/checkpoint/checkpoint_times.hpp"

#include <algorithm>

namespace lbm::cases {
namespace {

// A slow disk, until the first checkpoint is measured.
constexpr double first_guess = 200e6;  // bytes per second
// Margin for varying sweeps and checkpoints, and time for the final report.
constexpr double reserve = 1.5;
constexpr double report_seconds = 1;

}  // namespace

CheckpointTimes::CheckpointTimes(const Case& lbm_case, Clock::time_point begin,
                                 std::uint64_t checkpoint_bytes)
    : case_(lbm_case),
      begin_(begin),
      last_save_(Clock::now()),
      save_seconds_(static_cast<double>(checkpoint_bytes) / first_guess) {}

std::optional<std::int64_t> CheckpointTimes::next_step_after(std::int64_t step) const {
  const auto every = case_.checkpoint.every_steps;
  if (!every) return std::nullopt;
  return (step / *every + 1) * *every;
}

bool CheckpointTimes::is_due_at(std::int64_t step) const {
  const auto every = case_.checkpoint.every_steps;
  return every && step % *every == 0;
}

bool CheckpointTimes::is_due(std::int64_t step) const {
  const auto every = case_.checkpoint.every_minutes;
  return every && step != last_step_ && seconds_since(last_save_) >= 60 * *every;
}

bool CheckpointTimes::must_stop() const {
  if (!case_.run.walltime) return false;
  const double needed = reserve * (save_seconds_ + sweep_seconds_) + report_seconds;
  return seconds_since(begin_) + needed >= 60 * *case_.run.walltime;
}

void CheckpointTimes::asked(std::int64_t step) { asked_.push_back({step, Clock::now()}); }

// Keeps a recent maximum: k, outputs and other work on the machine make sweeps vary.
void CheckpointTimes::completed(std::int64_t step) {
  while (!asked_.empty() && asked_.front().step <= step) {
    sweep_seconds_ = std::max(0.98 * sweep_seconds_, seconds_since(asked_.front().when));
    asked_.pop_front();
  }
}

void CheckpointTimes::drained(double seconds) {
  sweep_seconds_ = std::max(sweep_seconds_, seconds);
}

// Keeps a recent maximum, too: the speed of a disk varies.
void CheckpointTimes::saved(std::int64_t step, double seconds) {
  failed(step);
  save_seconds_ = measured_ ? std::max(0.7 * save_seconds_, seconds) : seconds;
  measured_ = true;
}

void CheckpointTimes::failed(std::int64_t step) {
  last_save_ = Clock::now();
  last_step_ = step;
}

}  // namespace lbm::cases
