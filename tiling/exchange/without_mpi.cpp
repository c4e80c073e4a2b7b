// SPDX-License-Identifier: Apache-2.0

// For builds without MPI.
#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

std::unique_ptr<Ranks> join_ranks() {
  if (!started_with_others()) return nullptr;
  throw UsageError(
      "started as one of several processes, but built without MPI, as wheels are: build "
      "lbm from source with an MPI (docs/install.md), or start it alone");
}

}  // namespace lbm::tiling
