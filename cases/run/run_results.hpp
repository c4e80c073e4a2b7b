// SPDX-License-Identifier: Apache-2.0

// The data of a run besides the lattice: its directory, and everything that is written there.
#pragma once

#include <string>
#include <vector>

#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/records/expectations.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/records/notices.hpp"
#include "cases/run/records/quantities.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/run_stats.hpp"
#include "io/files/run_directory.hpp"

namespace lbm::cases {

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
  const bool continues;  // the directory holds the files of the run that this one continues
  const io::RunDirectory directory;
  Expectations expectations;
  Quantities quantities;
  FieldOutputs fields;
  FlowRecords records;
  Checkpoints checkpoints;

 private:
  bool told_of_move_ = false;

  void check_space(const PreparedRun& run) const;
};

}  // namespace lbm::cases
