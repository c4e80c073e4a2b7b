// SPDX-License-Identifier: Apache-2.0

// Work that may fail in one rank of a run and not in another.
#pragma once

#include <functional>

#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The error of the lowest rank that failed, thrown in all ranks. The root reports it; then all
// ranks meet at a barrier before they exit.
struct SharedError : Error {
  using Error::Error;
};

// Runs work() in all ranks, then exchanges the errors; collective. Throws SharedError in all ranks
// if any failed. Collective calls in work() must precede code that may fail in one rank alone.
void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work);

}  // namespace lbm::cases
