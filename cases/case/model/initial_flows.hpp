// SPDX-License-Identifier: Apache-2.0

// Initial flow fields.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// Empty for a fluid at rest, and for arrays, which the program around the run has. Throws
// UsageError for a formula or file that is none.
InitialState initial_flow(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
