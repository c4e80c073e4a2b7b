// From a case to what runs it: the device, the lattice, the initial flow, the schedule.
#pragma once

#include <memory>

#include "cases/app/case.hpp"
#include "cases/app/derived.hpp"
#include "solver/backend/backend.hpp"
#include "solver/lattice/initial_state.hpp"
#include "tiling/choose.hpp"

namespace lbm::app {

struct Setup {
  Derived derived;
  Lattice lattice;
  Flags flags;
  InitialState initial;
  tiling::PlanChoice plan;
};

// The GPU where the case allows one and there is one, otherwise the CPU. Throws UsageError.
std::unique_ptr<Backend> make_backend(const Case& lbm_case);

// Allocates nothing large. Throws ResourceError, with the case's file and line, when the device or
// the host has too little memory.
Setup make_setup(const Case& lbm_case, const Backend& backend);

}  // namespace lbm::app
