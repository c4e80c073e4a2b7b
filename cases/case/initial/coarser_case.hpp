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
// those of the same time. Quantities stay; all files are left out but checkpoints for signals. The
// case has its share of run.cascade_time and no cascade. derived: of the given case. Throws
// UsageError, one line, for a grid or an image that `factor` does not divide, and for a flow from
// arrays.
Case coarser_case(const Case& lbm_case, const Derived& derived, int factor);

// The case without the ramps of inlets and sponges, for a start from a developed flow.
Case without_ramps(Case lbm_case);

// Leaves out all results that are files, checkpoints included.
void remove_files(Case& lbm_case);

// Adds an output of the flow at the end, OUT/<coarse_flow>_<step>.hdf.
void add_flow_file(Case& lbm_case);
inline constexpr const char* coarse_flow = "start";

}  // namespace lbm::cases
