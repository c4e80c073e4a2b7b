// SPDX-License-Identifier: Apache-2.0

// The same flow on a coarser grid, for run.cascade: the flow that a coarse grid has found is where
// the next finer one starts.
#pragma once

#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"

namespace lbm::cases {

// How much coarser the grids of run.cascade are, in the order of the runs: 4, 2 for three grids;
// empty for one.
std::vector<int> coarsening_factors(const Case& lbm_case);

// The case with cells `factor` times as large. Box, bodies, faces, forces, Reynolds number and the
// velocity in cells per step stay, so a step takes `factor` times as long. A periodic axis of fewer
// than `factor` cells, on which nothing depends, becomes wider: one cell. Intervals in steps are
// those of the same time. Quantities stay; all files are left out but the flow at the end,
// OUT/start_<step>.hdf, and checkpoints for signals. The case has the time run.cascade_time and no
// cascade. derived: of the given case. Throws UsageError, one line, for a grid or an image that
// `factor` does not divide, and for a flow from arrays.
Case coarser_case(const Case& lbm_case, const Derived& derived, int factor);

// Name of the output with the flow at the end.
inline constexpr const char* coarse_flow = "start";

}  // namespace lbm::cases
