// SPDX-License-Identifier: Apache-2.0

// For builds without MPI.
#include <fmt/format.h>

#include "solver/core/error.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

std::unique_ptr<Ranks> join_ranks() {
  const Launch found = launch();
  if (found.processes < 2) return nullptr;
  throw UsageError(fmt::format(
      "found {} processes ({}), must be one, as lbm is built without MPI (wheels are): build it "
      "from source with an MPI (docs/install.md), or start it alone; for independent runs unset {}",
      found.processes, found.variable, found.variable));
}

}  // namespace lbm::tiling
