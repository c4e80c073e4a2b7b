// SPDX-License-Identifier: Apache-2.0

// The data of a run besides the lattice: its directory, and everything that is written there.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/records/expectations.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/records/free_bodies.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/records/stateful.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/run_options.hpp"
#include "io/files/run_directory.hpp"
#include "io/text/json.hpp"
#include "solver/core/error.hpp"
#include "solver/core/numa.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {

// How far a run came, how long it took and why it ended.
struct RunStats {
  std::int64_t steps = 0;                          // reached, those before a restart included
  std::int64_t first_step = 0;                     // where this process began
  double seconds = 0;                              // of the time loop, checkpoints included
  double setup_seconds = 0;                        // allocating and filling the lattice
  double pin_seconds = 0;                          // of these: page-locking the lattice on the host
  double fill_seconds = 0;                         // of these: allocating and filling it
  std::uint64_t device_bytes = 0, host_bytes = 0;  // host: lattice and output fields
  std::uint64_t boundary_bytes = 0;                // in device_bytes
  std::vector<NodeShare> host_nodes;               // where the lattice on the host is
  tiling::PipelineStats pipeline;
  CheckpointStats checkpoints;
  int stopped_by = 0;        // a signal; 0: none
  bool at_walltime = false;  // stopped before run.walltime
  bool steady = false;       // ended early, since the flow had become steady
  bool complete = false;     // came to its end, and all its files are written
  // "running", "completed", "steady", "interrupted by SIGINT", "walltime reached", or the error.
  std::string exit_reason = "running";

  bool stopped() const { return stopped_by != 0 || at_walltime; }
};

// One of run.flow_rate_corrections.
struct CorrectedStep {
  std::int64_t step = 0;
  double spread = 0;  // largest difference of the flow rates of layers before it / their mean
  bool done = false;  // false: not all parts flowed along the force
};

// A run on a coarser grid of run.cascade.
struct CoarserRun {
  int factor = 1;  // edge of its cells / edge of the cells of the case
  std::array<int, 3> cells{};
  std::int64_t steps = 0;
  double time = 0;     // that it computed, in the unit of the case
  double seconds = 0;  // that it took, set-up included
  std::string exit_reason;
};

struct RunResults {
  // Opens the directory and the files that are there from the beginning. Warns where the disk has
  // no room for checkpoints. Throws UsageError, ResourceError.
  RunResults(const PreparedRun& run, const RunOptions& options, Notices& notices);
  RunResults(const RunResults&) = delete;
  RunResults& operator=(const RunResults&) = delete;

  // Names of the files that are complete.
  std::vector<std::string> files() const;
  // Empty unless the run is complete.
  std::vector<ExpectationResult> expectation_results() const;
  // Writes effective_case.yaml, the case as it was understood.
  void write_case(const Case& lbm_case) const;
  // Once, if the directory is no longer where it was.
  void warn_if_moved();

  Notices& notices;
  RunStats stats;
  std::vector<CoarserRun> coarser;  // of run.cascade
  std::vector<CorrectedStep> corrections;
  const bool continues;  // the directory holds the files of the run that this one continues
  const io::RunDirectory directory;
  Expectations expectations;
  Quantities quantities;
  FieldOutputs fields;
  FreeBodies free_bodies;
  FlowRecords records;
  Checkpoints checkpoints;

 private:
  bool told_of_move_ = false;

  void check_space(const PreparedRun& run) const;
};

// report.json so far: the run need not have ended.
io::Json report_json(const PreparedRun& run, const RunResults& results);
// Writes report.json, where the run has a directory. Throws ResourceError.
void write_report(const PreparedRun& run, const RunResults& results);
// The summary of a run as text.
std::string summary(const PreparedRun& run, const RunResults& results);

}  // namespace lbm::cases
