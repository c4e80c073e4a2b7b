// SPDX-License-Identifier: Apache-2.0

// Measures how fast planes arrive through the two ends of a rank.
#pragma once

#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

// Sends planes down and receives as many from above, while all other ranks do the same. Returns
// bytes per second from above; 0 without `up`. Collective; `down` and `up` may be null. planes:
// size of the sender's ring. Throws ResourceError if a connection fails.
double plane_speed(Ranks& ranks, PlaneSender* down, PlaneReceiver* up, std::size_t plane_bytes,
                   int planes);

}  // namespace lbm::tiling
