#include "tiling/exchange.hpp"

#include "tiling/plan.hpp"

namespace lbm::tiling {

// A visit sends as many planes as it loads, from one or two sweeps; store_lag + 2 visits are under
// way, and the ones before them on their way.
int planes_to_fill(int planes_per_visit) { return 2 * (store_lag + 3) * planes_per_visit; }

// All edges of a sweep, which come at its start and are needed at its end, and those of the next
// one that may start before.
int planes_to_arrive(int steps_per_visit, int planes_per_visit) {
  return 2 * steps_per_visit + 2 * (store_lag + 3) * planes_per_visit;
}

}  // namespace lbm::tiling
