// SPDX-License-Identifier: Apache-2.0

// The last whole flow of a run that has diverged.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cases/case/case.hpp"
#include "cases/run/run_options.hpp"
#include "cases/run/simulation.hpp"

namespace lbm::cases {

// A run up to the last step at which the flow was looked at and not refused.
struct Rerun {
  Case lbm_case;       // writes the fields and profiles of its last step, nothing else
  RunOptions options;  // its results: before_divergence in the directory of the run
};

// lbm_case, options: those of the run that has diverged. Empty where its flow was never looked
// at, where it writes no files, or where it took too long to be repeated unasked (two minutes).
std::optional<Rerun> rerun_before_divergence(const Case& lbm_case, const RunOptions& options,
                                             const Simulation& diverged);

// Computes it; bits do not depend on the schedule, so the flow is that of the run. Says where the
// fields are, or why there are none; never throws.
void write_before_divergence(Rerun rerun, const RunCallbacks& callbacks);

}  // namespace lbm::cases
