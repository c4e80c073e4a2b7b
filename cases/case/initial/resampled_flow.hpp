// SPDX-License-Identifier: Apache-2.0

// Brings a flow that is given on one grid to the grid of a case, with its strain rates.
#pragma once

#include <array>
#include <memory>

#include "cases/case/case.hpp"
#include "cases/case/initial/flow_rows.hpp"
#include "solver/core/time_limit.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// The state of a run that starts from the flow. Both grids cover the same box. Density and velocity
// are interpolated linearly between cell centres along each axis; beyond the last centre of a face
// that is not periodic they are extrapolated linearly. Velocity gradients are central differences
// on the grid of the flow (of second order, one-sided at faces that are not periodic), interpolated
// likewise. On equal grids density and velocity are taken over as they are. All errors are of
// second order in the cell size. The state throws UsageError, one line with the place, for values
// that are not finite or beyond run.density_range and run.max_mach.
InitialState resampled_state(const Case& lbm_case, std::shared_ptr<const FlowRows> flow);

// Fills planes of the state to find what fill() refuses: all of a grid up to 16 million cells, else
// some from the first to the last. Returns whether the limit left the time for it.
bool check_planes(const InitialState& state, const std::array<int, 3>& cells,
                  const TimeLimit& limit);

}  // namespace lbm::cases
