// A process of a run that computes its slab and leaves decisions and files to the leader.
#pragma once

#include <optional>

#include "cases/case/case.hpp"
#include "cases/run/checkpoint/restart.hpp"
#include "cases/run/setup/setup.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// Does what the leader says until it says that the run is over; gives its exit code. restart: null
// for a run from the initial state. What goes wrong is told to the leader, who ends the run.
int work_for_leader(const Case& lbm_case, const Setup& setup, Backend& backend,
                    const Restart* restart, tiling::Ranks& ranks, tiling::PlaneExchange& exchange);

}  // namespace lbm::cases
