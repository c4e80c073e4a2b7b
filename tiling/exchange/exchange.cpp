// SPDX-License-Identifier: Apache-2.0
#include "tiling/exchange/exchange.hpp"

#include <algorithm>

#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {
namespace {

// Haloed tiles send all halo planes of a sweep in one visit. A visit of other schemes sends at most
// as many as it loads or makes, of one sweep or two.
int most_halo_planes_of_visit(const ScheduleOptions& options) {
  const int of_sweep = 2 * options.steps_per_visit;
  if (options.scheme == Scheme::halo) return of_sweep;
  return std::min(2 * of_sweep, 2 * options.planes_per_visit);
}

}  // namespace

int planes_to_send(const ScheduleOptions& options) {
  const int visits = options.scheme == Scheme::halo ? 2 : store_lag + 3;
  return visits * most_halo_planes_of_visit(options);
}

int planes_in_ring(const ScheduleOptions& options) {
  return 2 * options.steps_per_visit + planes_to_send(options);
}

int ring_planes_on_device(ExchangeKind kind, const ScheduleOptions& options) {
  if (kind == ExchangeKind::device) return planes_in_ring(options);
  return kind == ExchangeKind::nccl ? planes_to_send(options) + planes_in_ring(options) : 0;
}

int ring_planes_on_host(ExchangeKind kind, const ScheduleOptions& options) {
  if (kind == ExchangeKind::host) return planes_in_ring(options);
  return kind == ExchangeKind::mpi ? planes_to_send(options) + planes_in_ring(options) : 0;
}

}  // namespace lbm::tiling
