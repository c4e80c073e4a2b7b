// Work that may fail in one rank of a run and not in another.
#pragma once

#include <functional>

#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// The first rank's error, thrown in all ranks alike. They end with leave_together().
struct SharedError : Error {
  using Error::Error;
};

// Runs work() in all ranks, then lets them meet. Throws SharedError in all of them where one or
// more have failed. work() may call collective functions only before anything that may throw in one
// rank alone.
void run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work);

// After a SharedError: the root calls it when it has reported the error, the other ranks at once.
// They wait for the root, since mpirun kills all ranks when the first one exits.
void leave_together(tiling::Ranks& ranks);

}  // namespace lbm::cases
