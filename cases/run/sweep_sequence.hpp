// Which sweep of a run comes next: as long as allowed, ending on the next output, look or
// checkpoint.
#pragma once

#include <cstdint>
#include <optional>

#include "cases/case/derived.hpp"
#include "cases/run/checkpoint/checkpoint_times.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::cases {

class SweepSequence {
 public:
  // most: steps of a sweep. first_step: where the run begins.
  SweepSequence(const Derived& derived, int most, FieldOutputs& outputs, const FlowRecords& records,
                CheckpointTimes& times, std::int64_t first_step);

  // Nothing at the end, and where the run pauses: for a checkpoint, and after a look that tells
  // whether the flow is steady, so that the step at which it ends depends on the flow alone.
  // check_it: the sweep looks for non-finite values, whatever the schedule says.
  std::optional<tiling::Sweep> next(bool check_it = false);
  // All sweeps are complete: goes on after a pause.
  void resume();
  // Ends a sweep on that step, which is sampled, and gives none after it.
  void pause_at(std::int64_t step) { pause_at_ = step; }

  // Up to which sweeps were asked for.
  std::int64_t step() const { return step_; }
  // Whether the flow at that step is sampled: one that has diverged must not be saved.
  bool checked() const { return checked_ == step_; }
  bool ended() const { return step_ >= end_; }

 private:
  const Derived& derived_;
  int most_;
  FieldOutputs& outputs_;
  const FlowRecords& records_;
  CheckpointTimes& times_;
  std::int64_t step_, checked_, end_;
  std::int64_t pause_at_;
  bool paused_ = false;
};

}  // namespace lbm::cases
