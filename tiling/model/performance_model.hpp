// How long a run takes, foretold from its own plan: the scheduler makes the visits that the run
// would do, and three queues with measured speeds work them off, each waiting for what the visit
// says. Nothing of the schedule is written a second time here.
#pragma once

#include <cstdint>

#include "solver/backend/speeds.hpp"
#include "tiling/schedule/exchange_kind.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// The run's shape, besides lattice and schedule.
struct RunShape {
  std::int64_t steps = 1;
  std::int64_t output_interval = 0;  // steps between outputs: sweeps end on them; 0 for none
};

// The processes that share a grid, each with a slab like the others' and a device of its own. Halo
// planes go from one to the next while the rest of the sweep runs, so they cost time in two ways:
// in the queues of the device, and where a sweep is shorter than their way.
struct Neighbours {
  int processes = 1;
  ExchangeKind exchange = ExchangeKind::device;
  // Between two processes; 0: between devices as a copy on one of them, else no limit.
  double bytes_per_second = 0;

  bool any() const { return processes > 1; }
};

struct Prediction {
  double seconds = 0;  // of the time loop, without writing files
  double mlups = 0;
  // Of the time that each queue is at work when the pipeline is full.
  double load_share = 0, update_share = 0, store_share = 0;
  double fill_seconds = 0;  // what filling and draining the pipeline costs, once per run
};

// speeds.measured(lattice.storage) must hold; steps >= 1. With neighbours the lattice is the slab
// of one process, and so is the speed: the others add as much each.
Prediction predict(const Lattice& lattice, const ScheduleOptions& options, const RunShape& shape,
                   const DeviceSpeeds& speeds, const Neighbours& neighbours = {});

}  // namespace lbm::tiling
