// From a case to what runs it: the device, the lattice, the initial flow, the schedule.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  std::optional<HostMemory> host_memory;  // of the lattice on the host; empty in core
  std::vector<std::string> warnings;      // about the case on this machine
};

// The GPU where the case allows one and there is one, otherwise the CPU. Throws UsageError, also
// where that device has no use for the host memory that the case asks for.
std::unique_ptr<Backend> make_backend(const Case& lbm_case);

// Allocates nothing large. Throws ResourceError, with the case's file and line, when the device or
// the host has too little memory.
Setup make_setup(const Case& lbm_case, const Backend& backend);

}  // namespace lbm::app
