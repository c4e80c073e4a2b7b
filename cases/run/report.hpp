// What a run says about itself: report.json, and the summary on the terminal.
#pragma once

#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/setup/setup.hpp"
#include "cases/run/time_loop.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// Everything a report needs. exit_reason: "completed", "steady", "interrupted by SIGINT", "walltime
// reached", or the error. records: null where there are none. expectations: empty where the run did
// not come to its end.
struct RunRecord {
  const Case& lbm_case;
  const Setup& setup;
  const Backend& backend;
  const RunResult& result;
  std::string exit_reason;
  std::vector<std::string> files;
  std::vector<std::string> warnings;
  const FlowRecords* records = nullptr;
  std::vector<ExpectationResult> expectations;
};

// Million lattice-cell updates per second: all cells of the box, redundant updates not counted.
double mlups(const RunRecord& record);
// Lattice traffic per second of those updates: every stored value read once and written once.
double bytes_per_second(const RunRecord& record);

io::Json report_json(const RunRecord& record);
std::string summary(const RunRecord& record);

}  // namespace lbm::cases
