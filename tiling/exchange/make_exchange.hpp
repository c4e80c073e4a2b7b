// How the processes of a run hand planes to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tiling/exchange/ranks.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

struct ExchangeRequest {
  std::size_t plane_bytes = 0;
  ScheduleOptions options;           // the same for all
  std::optional<ExchangeKind> kind;  // empty: the first of them that works, by pair
  bool room_on_device = true;        // of this process, for the ring to the one below
};

struct Exchange {
  PlaneExchange ends;
  ExchangeKind down = ExchangeKind::mpi;  // to the process below
};

// Each process is joined with the next lower one, the first with the last. All must call it. The
// backend and the ranks must outlive it. Throws ResourceError, in all processes alike, where two
// cannot be joined as asked for.
Exchange make_exchange(Ranks& ranks, Backend& backend, const ExchangeRequest& request);

}  // namespace lbm::tiling
