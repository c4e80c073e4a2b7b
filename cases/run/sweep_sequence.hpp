// SPDX-License-Identifier: Apache-2.0

// The next sweep of a run: as many steps as allowed, but no further than the next sample of fields
// or of the monitor, or checkpoint. Files and pictures of fields are made in the middle of sweeps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/case/derived.hpp"
#include "cases/run/checkpoint/checkpoint_times.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::cases {

class SweepSequence {
 public:
  // options: of the schedule, for the steps of a sweep. first_step: where the run begins.
  // alone: no other ranks. Otherwise sweeps end at all outputs, whose planes go to the root step by
  // step.
  SweepSequence(const Derived& derived, const tiling::ScheduleOptions& options,
                FieldOutputs& outputs, const FlowRecords& records, CheckpointTimes& times,
                std::int64_t first_step, bool alone);

  // Nothing at the end, and where the run pauses: for a checkpoint, and after a sample that tells
  // whether the flow is steady, so that the step at which the run ends depends on the flow alone.
  // check_it: the sweep looks for non-finite values in any case.
  std::optional<tiling::Sweep> next(bool check_it = false);
  // Ends a pause. All sweeps must be complete.
  void resume();
  // Ends a sweep on that step, which is sampled, and gives no sweep after it.
  void pause_at(std::int64_t step) { pause_at_ = step; }

  // The last step of the sweeps given so far.
  std::int64_t step() const { return step_; }
  // True if the flow at step() is sampled: a flow that has diverged must not be saved.
  bool checked() const { return checked_ == step_; }
  bool ended() const { return step_ >= end_; }

 private:
  std::int64_t end_of_next() const;
  std::vector<int> early_levels(std::int64_t end) const;

  const Derived& derived_;
  int most_, together_;  // steps_per_visit and updates_together of the schedule
  FieldOutputs& outputs_;
  const FlowRecords& records_;
  CheckpointTimes& times_;
  std::int64_t step_, checked_, end_;
  std::int64_t pause_at_;
  bool paused_ = false;
  bool emits_early_;
};

}  // namespace lbm::cases
