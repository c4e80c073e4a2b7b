// SPDX-License-Identifier: Apache-2.0

// report.json, and the summary of a run as text.
#pragma once

#include <string>

#include "cases/run/prepared_run.hpp"
#include "cases/run/run_results.hpp"
#include "io/text/json.hpp"

namespace lbm::cases {

// So far: the run need not have ended.
io::Json report_json(const PreparedRun& run, const RunResults& results);
// Writes report.json, where the run has a directory. Throws ResourceError.
void write_report(const PreparedRun& run, const RunResults& results);

std::string summary(const PreparedRun& run, const RunResults& results);

}  // namespace lbm::cases
