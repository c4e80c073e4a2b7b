// What may fail in one process of a run and not in another.
#pragma once

#include <functional>

#include "tiling/exchange/ranks.hpp"

namespace lbm::cases {

// Does the work; then all processes meet. 0 where it went well in all; otherwise the leader has
// said what went wrong, and in which process, and all get the exit code. Between processes the work
// may gather only before anything that one of them alone may throw. All must call it.
int run_on_all_ranks(tiling::Ranks& ranks, const std::function<void()>& work);

}  // namespace lbm::cases
