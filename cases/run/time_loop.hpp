// SPDX-License-Identifier: Apache-2.0

// The time loop of a run: asks the pipeline for sweeps that end on output times, and saves
// checkpoints.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>

#include "cases/case/model/case_formulas.hpp"
#include "cases/run/checkpoint/checkpoint_times.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/sweep_sequence.hpp"
#include "solver/core/error.hpp"
#include "tiling/pipeline/pipeline.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

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
  // As StateReader::read_fields().
  void read_fields(const tiling::FieldBox& box, const tiling::TakeFields& take);

 private:
  void wait_for_others();
  void make_pipeline();
  std::optional<tiling::Sweep> next_sweep();
  void on_retired(const tiling::PipelineStats& stats);
  void run_pipeline();
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
  bool save_requested_ = false;
  bool interrupted_ = false;
  bool warned_of_ranks_ = false;
};

}  // namespace lbm::cases
