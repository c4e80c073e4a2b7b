// SPDX-License-Identifier: Apache-2.0

// How the flow of a run is, for the terminal: numbers of the last sample and of the last step.
#pragma once

#include <string>

#include "cases/case/case.hpp"
#include "cases/run/records/flow_records.hpp"

namespace lbm::cases {

// "; at Re 1185, target 5.33e+06" for the end of a line about a force; empty without a caution.
std::string beside(const std::string& caution);

// "speed 1.52 m/s, car: C (0.01, 0.2, 0.48), change 3.2e-04 (steady below 1e-05)": what is known of
// it; empty: nothing. change: of the kinetic energy, or of the quantities of run.until_steady, per
// convective time. C: coefficients of the force along x, y and z; of two bodies at most.
std::string flow_line(const Case& lbm_case, const FlowRecords& records);

// Lines for the end of a run: the flow, the force on each body (of ten at most), how far from
// steady.
std::string flow_summary(const Case& lbm_case, const FlowRecords& records);

}  // namespace lbm::cases
