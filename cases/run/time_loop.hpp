// One run of a case: the time loop, which asks for sweeps that end on output times, and the result.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/checkpoint/checkpoint_times.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/setup/setup.hpp"
#include "cases/run/sweep_sequence.hpp"
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"
#include "tiling/pipeline/pipeline.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

class Leader;

struct RunResult {
  std::int64_t steps = 0;                          // reached, those before a restart with them
  std::int64_t first_step = 0;                     // where this process began
  double seconds = 0;                              // of the time loop, checkpoints with it
  double setup_seconds = 0;                        // allocating and filling the lattice
  double pin_seconds = 0;                          // of these: page-locking the lattice on the host
  double fill_seconds = 0;                         // of these: allocating and filling it
  double copy_bytes_per_second = 0;                // device-to-device copy, bytes read + written
  std::uint64_t device_bytes = 0, host_bytes = 0;  // host: lattice and output fields
  tiling::PipelineStats stats;
  CheckpointStats checkpoints;
  std::vector<std::string> warnings;  // checkpoints that could not be written
  int stopped_by = 0;                 // signal, 0 for none
  bool at_walltime = false;           // stopped before it
  bool steady = false;                // ended early, since the flow had become steady
};

// Who takes part in a run. All must outlive it.
struct RunParts {
  FieldOutputs& outputs;
  FlowRecords& records;
  Checkpoints& checkpoints;
  const Restart* restart;                       // null: from the initial state
  bool continues_files;                         // the directory has those of the run that goes on
  std::chrono::steady_clock::time_point begin;  // of the program
  std::function<void()> on_begin;               // when the lattice is there, before any step
  std::function<int()> stop;                    // a signal's number, 0 for none; asked often
  // Whether a checkpoint is asked for, and that the request is met. Null: never.
  std::function<bool()> save_requested = {};
  std::function<void()> save_done = {};
  std::function<void(std::int64_t)> on_progress;  // useful plane updates of this process
  tiling::TraceSink* trace;                       // may be null
  tiling::Ranks* ranks = nullptr;                 // of several processes, which this one leads
  tiling::PlaneExchange* exchange = nullptr;      // then its own
  double copy_bytes_per_second = 0;               // of all devices together; 0: not measured
  std::function<bool()> is_interrupted = {};  // the caller wants to have the run back; null: never
};

// A checkpoint that seemed whole is not: another one may do.
struct DamagedCheckpoint : UsageError {
  using UsageError::UsageError;
};

// The lattice on its way through time, and the checkpoints that are made of it.
class TimeLoop {
 public:
  // All must outlive it. result is kept up to date, so that it tells how far a run came that ends
  // in an exception.
  TimeLoop(const Case& lbm_case, const Setup& setup, Backend& backend, RunParts parts,
           RunResult& result);
  ~TimeLoop();
  TimeLoop(const TimeLoop&) = delete;
  TimeLoop& operator=(const TimeLoop&) = delete;

  // Makes the lattice. Once, first of all. Throws ResourceError and UsageError: DamagedCheckpoint
  // when no file has been touched yet, others for files that cannot be continued.
  void begin();

  // Runs to that step, or to where the run ends before it: until the flow is steady, until stop()
  // gives a number, is_interrupted() is true or the walltime is near; then the sweeps under way are
  // completed. Saves checkpoints as the case says. Throws DivergedError, ResourceError and what the
  // parts throw; after that only destruction is allowed.
  void advance(std::int64_t to);

  // The state between calls of advance() is that after so many steps.
  std::int64_t step() const;
  // The case is at its end: nothing more to run.
  bool ended() const;
  // The last advance() came back early since is_interrupted() was true.
  bool was_interrupted() const { return interrupted_; }

  // Between calls of advance(), one process only:
  // Saves the state among the checkpoints of the run, or to that file.
  void save();
  void save_to(const std::filesystem::path& file);
  // As StateReader::read_fields().
  void read_fields(const tiling::FieldBox& box, const tiling::TakeFields& take);

 private:
  void lead();
  FieldOutputs* fields() const;
  void wait_for_others();
  void make_pipeline();
  std::optional<tiling::Sweep> next_sweep();
  void on_retired(const tiling::PipelineStats& stats);
  void run_pipeline();
  void save_if_due();
  void save(std::int64_t step, bool last);
  void write_state(io::CheckpointWriter& writer);
  void warn(std::string text);
  void warn_of_processes_apart();
  bool save_requested() const;
  double seconds() const;

  const Case& case_;
  const Setup& setup_;
  Backend& backend_;
  const RunParts parts_;
  RunResult& result_;
  CheckpointTimes times_;
  std::optional<SweepSequence> schedule_;
  std::unique_ptr<Leader> leader_;  // of several processes
  std::chrono::steady_clock::time_point advance_begin_;
  double seconds_before_ = 0;                                      // of earlier calls of advance()
  std::optional<std::chrono::steady_clock::time_point> draining_;  // since the last sweep was asked
  std::optional<tiling::Pipeline> pipeline_;
  bool interrupted_ = false;
  bool warned_of_processes_apart_ = false;
};

}  // namespace lbm::cases
