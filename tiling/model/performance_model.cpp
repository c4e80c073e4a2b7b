// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/performance_model.hpp"

#include <algorithm>
#include <array>

#include "tiling/model/queue_times.hpp"
#include "tiling/model/visit_cache.hpp"

namespace lbm::tiling {
namespace {

// As many planes as fill the pipeline: more planes lengthen a sweep by visits that are all alike.
int enough_planes(const Lattice& lattice, const ScheduleOptions& options, bool is_slab) {
  const int k = options.steps_per_visit, b = options.planes_per_visit;
  const bool resident = options.scheme == Scheme::in_core;
  const bool wide = lattice.periodic_z() || options.scheme == Scheme::halo || is_slab;
  const int wanted = resident ? (is_slab ? 8 : 4) * b + 2 * k : (wide ? 4 : 2) * k + 8 * b;
  const int whole = (wanted + b - 1) / b * b;
  // Keep the remainder of nz: the last visit of a sweep may be shorter than the others.
  return whole + lattice.nz % b < lattice.nz ? whole + lattice.nz % b : lattice.nz;
}

// The cost of a run with nz planes: seconds of each further sweep, and once of filling and draining
// the pipeline.
struct SweepCost {
  double sweep = 0, once = 0;
  std::array<double, 3> busy{};  // seconds of a sweep, by queue

  void add(const QueueTimes& queues, double weight) {
    sweep += weight * queues.finish();
    for (std::size_t queue = 0; queue < 3; ++queue) busy[queue] += weight * queues.busy()[queue];
  }
};

SweepCost sweep_cost(const Lattice& lattice, int nz, const ScheduleOptions& options, int steps,
                     const DeviceSpeeds& speeds, const Neighbours& neighbours, VisitCache* cache) {
  // The first sweep fills the pipeline and the last ones drain it; those between are alike.
  constexpr int sweeps = 5, first = 1, last = 3;
  // All visits of a slab are alike, with walls at the ends of z, too.
  const PlaneGrid grid =
      neighbours.any() ? PlaneGrid{2 * nz, true, 0, nz} : PlaneGrid{nz, lattice.periodic_z()};
  VisitCache own;
  VisitCache& visits = cache != nullptr ? *cache : own;
  int done = 0;
  QueueTimes queues(lattice, speeds, neighbours, options.updates_together);
  SweepCost cost;
  for (const VisitWork& visit : visits.visits(grid, options, steps, sweeps)) {
    queues.add(visit);
    // A visit may complete several sweeps.
    const int before = done;
    done += visit.sweeps_completed;
    if (before <= first && first < done) cost.add(queues, -1.0 / (last - first));
    if (before <= last && last < done) cost.add(queues, 1.0 / (last - first));
  }
  cost.once = std::max(0.0, queues.finish() - sweeps * cost.sweep);
  return cost;
}

}  // namespace

Prediction predict(const Lattice& lattice, const ScheduleOptions& options, const RunShape& shape,
                   const DeviceSpeeds& speeds, const Neighbours& neighbours, VisitCache* cache) {
  const int most =
      static_cast<int>(std::min<std::int64_t>(options.steps_per_visit, shape.most_steps()));
  const int steps = next_sweep_steps(shape.stretch(), most, options.updates_together);
  ScheduleOptions plain = options;
  plain.updates_per_visit = 1;
  const int block = plain.planes_per_visit;
  // The time that halo planes have on their way grows with the number of planes.
  const int nz =
      waits_for_network(neighbours) ? lattice.nz : enough_planes(lattice, plain, neighbours.any());
  SweepCost s = sweep_cost(lattice, nz, plain, steps, speeds, neighbours, cache);
  if (nz < lattice.nz) {
    // Further planes cost what the last visits cost.
    const int more = 4 * block;
    const SweepCost longer =
        sweep_cost(lattice, nz + more, plain, steps, speeds, neighbours, cache);
    const double planes = static_cast<double>(lattice.nz - nz) / more;
    s.sweep += (longer.sweep - s.sweep) * planes;
    for (std::size_t queue = 0; queue < 3; ++queue) {
      s.busy[queue] += (longer.busy[queue] - s.busy[queue]) * planes;
    }
  }
  Prediction p;
  p.fill_seconds = s.once;
  p.seconds = s.once + s.sweep * static_cast<double>(shape.steps) / steps;
  const double cells = static_cast<double>(lattice.layout.cells()) * lattice.nz;
  p.mlups = 1e-6 * cells * static_cast<double>(shape.steps) / p.seconds;
  p.load_share = s.busy[load_queue] / s.sweep;
  p.update_share = s.busy[update_queue] / s.sweep;
  p.store_share = s.busy[store_queue] / s.sweep;
  return p;
}

}  // namespace lbm::tiling
