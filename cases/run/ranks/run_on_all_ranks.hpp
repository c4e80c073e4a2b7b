// SPDX-License-Identifier: Apache-2.0

// Work that may fail in one rank of a run and not in another.
#pragma once

#include <functional>

#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The first rank's error, thrown in all ranks alike. The root reports it; then all of them meet at
// a barrier before they exit.
struct SharedError : Error {
  using Error::Error;
};

// Runs work() in all ranks, then lets them meet. Throws SharedError in all of them where one or
// more have failed. work() may call collective functions only before anything that may throw in one
// rank alone.
void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work);

}  // namespace lbm::cases
