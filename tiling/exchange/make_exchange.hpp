// SPDX-License-Identifier: Apache-2.0

// Chooses how neighbouring ranks exchange halo planes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "solver/backend/backend.hpp"
#include "tiling/exchange/exchange.hpp"
#include "tiling/exchange/ranks.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

struct ExchangeRequest {
  std::size_t plane_bytes = 0;
  ScheduleOptions options;           // the same on all ranks
  int slab_planes = 1;               // of the thickest slab
  std::optional<ExchangeKind> kind;  // empty: for each pair the first kind that works
  bool room_on_device = true;        // true: this rank's device has room for the ring
};

struct Exchange {
  PlaneExchange ends;
  ExchangeKind down = ExchangeKind::mpi;  // to the rank below
  double bytes_per_second = 0;            // from the rank above; 0: not measured
};

// Connects each rank with the rank below it, rank 0 with the last. Collective. The backend and the
// ranks must outlive the result. Throws ResourceError on all ranks if a pair cannot be connected.
Exchange make_exchange(Ranks& ranks, Backend& backend, const ExchangeRequest& request);

}  // namespace lbm::tiling
