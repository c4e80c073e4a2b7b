// SPDX-License-Identifier: Apache-2.0

// How fast planes travel through the two ends of a rank.
#pragma once

#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/ranks.hpp"

namespace lbm::tiling {

// Sends planes down and receives as many from above, while all other ranks do the same: bytes per
// second from above. Collective; `down` and `up` may be null, and the result is 0 without `up`.
// planes: as many as the sender's ring holds. Throws ResourceError where a connection fails.
double plane_speed(Ranks& ranks, PlaneSender* down, PlaneReceiver* up, std::size_t plane_bytes,
                   int planes);

}  // namespace lbm::tiling
