// SPDX-License-Identifier: Apache-2.0

// Times work on a queue of a device.
#pragma once

#include <algorithm>

#include "solver/backend/backend.hpp"

namespace lbm {

// Seconds of the fastest of a few repeats of `work`, by events on `queue`.
template <class Work>
double best_seconds(Backend& backend, Queue queue, int repeats, const Work& work) {
  const auto begin = backend.make_event(), end = backend.make_event();
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    backend.record(queue, *begin);
    work();
    backend.record(queue, *end);
    backend.synchronize(*end);
    best = std::min(best, backend.seconds_between(*begin, *end));
  }
  return best;
}

}  // namespace lbm
