// The flow at time 0.
#pragma once

#include "cases/case/case.hpp"
#include "cases/case/derived.hpp"
#include "solver/lattice/initial_state.hpp"

namespace lbm::cases {

// Empty for fluid at rest.
InitialState initial_flow(const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
