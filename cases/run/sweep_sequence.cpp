// SPDX-License-Identifier: Apache-2.0
#include "cases/run/sweep_sequence.hpp"

#include <algorithm>

namespace lbm::cases {
namespace {

// Steps between two checks for non-finite values: rare enough to cost nothing that one can measure.
constexpr std::int64_t check_every = 128;

}  // namespace

SweepSequence::SweepSequence(const Derived& derived, const tiling::ScheduleOptions& options,
                             FieldOutputs& outputs, const FlowRecords& records,
                             CheckpointTimes& times, std::int64_t first_step)
    : derived_(derived),
      most_(options.steps_per_visit),
      together_(options.updates_together),
      outputs_(outputs),
      records_(records),
      times_(times),
      step_(first_step),
      checked_(first_step),
      end_(derived.steps),
      pause_at_(derived.steps) {
  resume();
}

void SweepSequence::resume() {
  paused_ = false;
  if (!records_.is_steady() || end_ != derived_.steps) return;
  // One more step, for the outputs that are wanted at the end.
  end_ = std::min(end_, std::max(records_.steady_step() + 1, step_));
  outputs_.end_at(end_);
}

std::optional<tiling::Sweep> SweepSequence::next(bool check_it) {
  if (ended() || paused_ || step_ >= pause_at_) return std::nullopt;
  const auto target = [&] {
    std::int64_t nearest = std::min(end_, pause_at_);
    for (const auto& at : {outputs_.next_after(step_), records_.next_sample_after(step_),
                           times_.next_step_after(step_)}) {
      if (at) nearest = std::min(nearest, *at);
    }
    return nearest;
  }();
  const int steps = tiling::next_sweep_steps(target - step_, most_, together_);
  step_ += steps;
  times_.asked(step_);
  paused_ = times_.is_due_at(step_) || records_.checks_steadiness(step_);
  const bool emit = outputs_.wants(step_);
  const bool check = check_it || emit || step_ == target || step_ - checked_ >= check_every;
  if (check) checked_ = step_;
  return tiling::Sweep{steps, emit, check};
}

}  // namespace lbm::cases
