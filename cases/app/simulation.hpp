// One run of a case: the time loop, which asks for sweeps that end on output times, and the result.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "cases/app/case.hpp"
#include "cases/app/checkpoints.hpp"
#include "cases/app/flow_records.hpp"
#include "cases/app/outputs.hpp"
#include "cases/app/restart.hpp"
#include "cases/app/setup.hpp"
#include "solver/core/error.hpp"
#include "tiling/ranks/ranks.hpp"

namespace lbm::app {

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
  const Restart* restart;                         // null: from the initial state
  bool continues_files;                           // the directory has those of the run that goes on
  std::chrono::steady_clock::time_point begin;    // of the program
  std::function<void()> on_begin;                 // when the lattice is there, before any step
  std::function<int()> stop;                      // a signal's number, 0 for none
  std::function<void(std::int64_t)> on_progress;  // useful plane updates of this process
  tiling::TraceSink* trace;                       // may be null
  tiling::Ranks* ranks = nullptr;                 // of several processes, which this one leads
  tiling::PlaneExchange* exchange = nullptr;      // then its own
  double copy_bytes_per_second = 0;               // then of all devices together; 0: not measured
};

// Runs the case to its end, until it is steady, until stop() gives a number or until its walltime
// is near; then the sweeps under way are completed. Saves checkpoints as the case says. result is
// kept up to date while it runs, so that it tells how far a run came that ends in an exception:
// DivergedError, ResourceError. A UsageError comes before the first step: DamagedCheckpoint when no
// file has been touched yet, others for files that cannot be continued.
void simulate(const Case& lbm_case, const Setup& setup, Backend& backend, const RunParts& parts,
              RunResult& result);

// A checkpoint that seemed whole is not: another one may do.
struct DamagedCheckpoint : UsageError {
  using UsageError::UsageError;
};

}  // namespace lbm::app
