// SPDX-License-Identifier: Apache-2.0

// The coarser grids of run.cascade: each runs the case until it is steady or for its share of
// run.cascade_time, from the flow of the grid before, and the last one leaves the flow from which
// the run starts. For the idea see Brandt (1977), Math. Comput. 31, 333, "nested iteration".
#pragma once

#include "cases/run/prepared_run.hpp"
#include "cases/run/run_options.hpp"

namespace lbm::cases {

struct RunResults;

// Runs the coarser grids, in OUT/coarser_<factor>, and sets the initial flow of the run: that of
// the last of them, or where the flow is steady that of the last two, extrapolated to a cell size
// of 0 as errors of second order allow (Richardson 1911, Phil. Trans. A 210, 307). Does nothing
// without run.cascade and after a restart. For the root, or one process. Where a signal or the
// walltime stops it, results.stats say so. A grid on which the flow diverges leaves none: the next
// one starts as it would without it. Throws UsageError without a directory, ResourceError, and what
// the callbacks throw.
void run_coarser_grids(PreparedRun& run, RunResults& results, const RunCallbacks& callbacks);

// The same for a rank other than the root, which computes its slab of each grid. False: the root
// was stopped.
bool compute_coarser_grids(PreparedRun& run, const RunOptions& options,
                           const WorkerCallbacks& callbacks);

}  // namespace lbm::cases
