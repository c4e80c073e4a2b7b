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

// At most the halo planes of the sweeps that visits under way may belong to.
int planes_to_send(const ScheduleOptions& options, int slab_planes) {
  const int visits = options.scheme == Scheme::halo ? 2 : store_lag + 3;
  const int visits_of_sweep = std::max(1, slab_planes / 2 / options.planes_per_visit);
  const int sweeps = (visits + visits_of_sweep - 1) / visits_of_sweep + 1;
  return std::min(visits * most_halo_planes_of_visit(options),
                  sweeps * 2 * options.steps_per_visit);
}

int planes_in_ring(const ScheduleOptions& options, int slab_planes) {
  return 2 * options.steps_per_visit + planes_to_send(options, slab_planes);
}

int ring_planes_on_device(ExchangeKind kind, const ScheduleOptions& options, int slab_planes) {
  const int in_ring = planes_in_ring(options, slab_planes);
  if (kind == ExchangeKind::device) return in_ring;
  return kind == ExchangeKind::nccl ? planes_to_send(options, slab_planes) + in_ring : 0;
}

int ring_planes_on_host(ExchangeKind kind, const ScheduleOptions& options, int slab_planes) {
  const int in_ring = planes_in_ring(options, slab_planes);
  if (kind == ExchangeKind::host) return in_ring;
  return kind == ExchangeKind::mpi ? planes_to_send(options, slab_planes) + in_ring : 0;
}

}  // namespace lbm::tiling
