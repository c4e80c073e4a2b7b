// A rank that computes its slab and leaves decisions and files to the root.
#pragma once

#include <optional>

#include "cases/case/case.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// Computes the sweeps that the root asks for until the run is over, and gives the exit code.
// restart: null for a run from the initial state. Errors are told to the root, which ends the run.
int work_for_root(const Case& lbm_case, const Setup& setup, Backend& backend,
                  const Restart* restart, tiling::Ranks& ranks, tiling::PlaneExchange& exchange);

}  // namespace lbm::cases
