// SPDX-License-Identifier: Apache-2.0
#include "cases/run/sweep_sequence.hpp"

#include <algorithm>
#include <utility>

namespace lbm::cases {
namespace {

// Steps between two checks for non-finite values: rare enough to cost nothing that one can measure.
constexpr std::int64_t check_every = 128;

}  // namespace

SweepSequence::SweepSequence(const Derived& derived, const tiling::ScheduleOptions& options,
                             FieldOutputs& outputs, const FlowRecords& records,
                             CheckpointTimes& times, std::int64_t first_step, bool alone)
    : derived_(derived),
      most_(options.steps_per_visit),
      together_(options.updates_together),
      outputs_(outputs),
      records_(records),
      times_(times),
      step_(first_step),
      checked_(first_step),
      end_(derived.steps),
      pause_at_(derived.steps),
      emits_early_(alone) {
  resume();
}

void SweepSequence::resume() {
  paused_ = false;
  if (!records_.is_steady() || end_ != derived_.steps) return;
  // One more step, for the outputs that are wanted at the end.
  end_ = std::min(end_, std::max(records_.steady_step() + 1, step_));
  outputs_.end_at(end_);
}

// The next step at which a sweep must end.
std::int64_t SweepSequence::end_of_next() const {
  const auto output =
      emits_early_ ? outputs_.next_in_order_after(step_) : outputs_.next_after(step_);
  std::int64_t nearest = std::min(end_, pause_at_);
  for (const auto& at :
       {output, records_.next_sample_after(step_), times_.next_step_after(step_)}) {
    if (at) nearest = std::min(nearest, *at);
  }
  if (!emits_early_) return nearest;
  std::optional<std::int64_t> after_early = step_;
  for (int i = 0; after_early && i <= most_early_outputs; ++i) {
    after_early = outputs_.next_after(*after_early);
  }
  // Out of reach it must not divide the way to `nearest` into shorter sweeps.
  return after_early && *after_early - step_ <= most_ ? std::min(nearest, *after_early) : nearest;
}

// The levels of the sweep from step_ to `end` at which fields are wanted before its end.
std::vector<int> SweepSequence::early_levels(std::int64_t end) const {
  std::vector<int> levels;
  for (auto at = outputs_.next_after(step_); emits_early_ && at && *at < end;
       at = outputs_.next_after(*at)) {
    levels.push_back(static_cast<int>(*at - step_));
  }
  return levels;
}

std::optional<tiling::Sweep> SweepSequence::next(bool check_it) {
  if (ended() || paused_ || step_ >= pause_at_) return std::nullopt;
  const std::int64_t target = end_of_next();
  const int steps = tiling::next_sweep_steps(target - step_, most_, together_);
  std::vector<int> early = early_levels(step_ + steps);
  step_ += steps;
  times_.asked(step_);
  paused_ = times_.is_due_at(step_) || records_.checks_steadiness(step_);
  const bool emit = outputs_.wants(step_);
  const bool check =
      check_it || emit || !early.empty() || step_ == target || step_ - checked_ >= check_every;
  if (check) checked_ = step_;
  return tiling::Sweep{steps, emit, check, std::move(early)};
}

}  // namespace lbm::cases
