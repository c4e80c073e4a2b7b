// SPDX-License-Identifier: Apache-2.0

// The time loop of a run: asks the pipeline for sweeps that end on output times, and saves
// checkpoints.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cases/case/model/case_formulas.hpp"
#include "cases/case/units.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/run_results.hpp"
#include "solver/core/error.hpp"
#include "tiling/pipeline/pipeline.hpp"
#include "tiling/schedule/schedule.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

class SweepSequence {
 public:
  // options: of the schedule, for the steps of a sweep. first_step: where the run begins.
  // corrections: the steps after which the pressure is corrected. stepwise: a pause after each
  // step, for bodies that move freely. alone: no other ranks. Otherwise sweeps end at all outputs,
  // whose planes go to the root step by step.
  SweepSequence(const Derived& derived, const tiling::ScheduleOptions& options,
                FieldOutputs& outputs, FlowRecords& records, CheckpointTimes& times,
                std::vector<std::int64_t> corrections, bool stepwise, std::int64_t first_step,
                bool alone)
      : derived_(derived),
        most_(options.steps_per_visit),
        together_(options.updates_together),
        outputs_(outputs),
        records_(records),
        times_(times),
        corrections_(std::move(corrections)),
        step_(first_step),
        checked_(first_step),
        end_(derived.steps),
        pause_at_(derived.steps),
        stepwise_(stepwise),
        emits_early_(alone) {
    resume();
  }

  // Nothing at the end, and where the run pauses: for a checkpoint, for a correction of the
  // pressure, for bodies that move freely, and after a sample that tells whether the flow is
  // steady, so that the step at which the run ends depends on the flow alone. check_it: the sweep
  // looks for non-finite values in any case.
  std::optional<tiling::Sweep> next(bool check_it = false) {
    if (ended() || paused_ || step_ >= pause_at_) return std::nullopt;
    const std::int64_t target = end_of_next();
    const int steps = tiling::next_sweep_steps(target - step_, most_, together_);
    std::vector<int> early = early_levels(step_ + steps);
    step_ += steps;
    times_.asked(step_);
    paused_ =
        stepwise_ || times_.is_due_at(step_) || is_corrected() || records_.checks_steadiness(step_);
    const bool emit = outputs_.wants(step_);
    const bool check =
        check_it || emit || !early.empty() || step_ == target || step_ - checked_ >= check_every;
    if (check) checked_ = step_;
    return tiling::Sweep{steps, emit, check, std::move(early), records_.wants_sums(step_)};
  }

  // Ends a pause. All sweeps must be complete.
  void resume() {
    paused_ = false;
    if (!records_.is_steady() || end_ != derived_.steps) return;
    end_ = std::min(end_, std::max(records_.steady_end(), step_));
    outputs_.end_at(end_);
    records_.end_at(end_);
  }

  // Ends a sweep on that step, which is sampled, and gives no sweep after it.
  void pause_at(std::int64_t step) { pause_at_ = step; }

  // The last step of the sweeps given so far.
  std::int64_t step() const { return step_; }
  // The pressure is corrected after step().
  bool is_corrected() const {
    return std::binary_search(corrections_.begin(), corrections_.end(), step_);
  }
  // True if the flow at step() is sampled: a flow that has diverged must not be saved.
  bool checked() const { return checked_ == step_; }
  bool ended() const { return step_ >= end_; }

 private:
  // The next step at which a sweep must end.
  std::int64_t end_of_next() const {
    const auto output =
        emits_early_ ? outputs_.next_in_order_after(step_) : outputs_.next_after(step_);
    std::int64_t nearest = std::min(end_, pause_at_);
    for (const auto& at :
         {output, records_.next_sample_after(step_), times_.next_step_after(step_)}) {
      if (at) nearest = std::min(nearest, *at);
    }
    const auto correction = std::upper_bound(corrections_.begin(), corrections_.end(), step_);
    if (correction != corrections_.end()) nearest = std::min(nearest, *correction);
    if (!emits_early_) return nearest;
    std::optional<std::int64_t> after_early = step_;
    for (int i = 0; after_early && i <= most_early_outputs; ++i) {
      after_early = outputs_.next_after(*after_early);
    }
    // Out of reach it must not divide the way to `nearest` into shorter sweeps.
    return after_early && *after_early - step_ <= most_ ? std::min(nearest, *after_early) : nearest;
  }

  // The levels of the sweep from step_ to `end` at which fields are wanted before its end.
  std::vector<int> early_levels(std::int64_t end) const {
    std::vector<int> levels;
    for (auto at = outputs_.next_after(step_); emits_early_ && at && *at < end;
         at = outputs_.next_after(*at)) {
      levels.push_back(static_cast<int>(*at - step_));
    }
    return levels;
  }

  // Steps between two checks for non-finite values: rare enough to cost nothing that one can
  // measure.
  static constexpr std::int64_t check_every = 128;

  const Derived& derived_;
  int most_, together_;  // steps_per_visit and updates_together of the schedule
  FieldOutputs& outputs_;
  FlowRecords& records_;
  CheckpointTimes& times_;
  std::vector<std::int64_t> corrections_;
  std::int64_t step_, checked_, end_;
  std::int64_t pause_at_;
  bool paused_ = false;
  bool stepwise_;
  bool emits_early_;
};

class RootRank;

// A checkpoint that seemed whole is not: another one may do.
struct DamagedCheckpoint : UsageError {
  using UsageError::UsageError;
};

// Owns the lattice. On the root rank it also leads the other ranks.
class TimeLoop {
 public:
  // Allocates the lattice and fills it with the initial state or the checkpoint. The results are
  // kept up to date, also those of a run that ends in an exception. Throws
  // ResourceError and UsageError: DamagedCheckpoint while no file has been touched, others for
  // files that cannot be continued.
  TimeLoop(PreparedRun& run, RunResults& results, const RunCallbacks& callbacks);
  ~TimeLoop();
  TimeLoop(const TimeLoop&) = delete;
  TimeLoop& operator=(const TimeLoop&) = delete;

  // Runs to that step, or until the flow is steady, a callback wants it to stop or the walltime is
  // near; then the sweeps under way are completed. Saves checkpoints as the case says. False:
  // is_interrupted() was true. Throws DivergedError, ResourceError and exceptions of the callbacks;
  // after that only destruction is allowed.
  bool advance(std::int64_t to);

  // The state between calls of advance() is that after so many steps.
  std::int64_t step() const { return sequence_->step(); }
  // Nothing is left to run.
  bool ended() const { return sequence_->ended(); }

  // Between calls of advance(), one process only:
  // Saves the state to that file; empty: among the checkpoints of the run.
  void save(const std::filesystem::path& file = {});
  // As Pipeline::read_fields().
  void read_fields(const tiling::FieldBox& box, const tiling::TakeFields& take);

 private:
  void make_pipeline();
  std::optional<tiling::Sweep> next_sweep();
  void on_retired(const tiling::PipelineStats& stats);
  void run_pipeline();
  void correct_if_due();
  void save_if_due();
  void save_as_the_case_says(bool last);
  void write_state(io::CheckpointWriter& writer);
  void warn_of_ranks_without_access();
  bool save_requested();
  double seconds() const;

  PreparedRun& run_;
  RunResults& results_;
  RunStats& stats_;
  const RunCallbacks& callbacks_;
  CheckpointTimes times_;
  TimeFormulas formulas_;
  std::optional<SweepSequence> sequence_;
  std::unique_ptr<RootRank> root_;  // null for one process
  std::chrono::steady_clock::time_point advance_begin_;
  double seconds_before_ = 0;                                      // of earlier calls of advance()
  std::optional<std::chrono::steady_clock::time_point> draining_;  // since the last sweep was asked
  std::optional<tiling::Pipeline> pipeline_;
  std::int64_t corrected_;  // the last step at which the pressure was corrected, or the first one
  bool save_requested_ = false;
  bool interrupted_ = false;
  bool warned_of_ranks_ = false;
};

}  // namespace lbm::cases
