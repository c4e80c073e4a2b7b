// SPDX-License-Identifier: Apache-2.0

// Predicts how long a run takes from its own schedule: the scheduler makes the visits that the run
// would do, and a model of the device's queues (queue_times.hpp) works them off. The schedule is
// not described a second time here.
#pragma once

#include "solver/backend/speeds.hpp"
#include "tiling/model/run_shape.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

class VisitCache;

struct Prediction {
  double seconds = 0;  // of the time loop, without writing files
  double mlups = 0;
  // The share of time that each queue is at work while the pipeline is full.
  double load_share = 0, update_share = 0, store_share = 0;
  double fill_seconds = 0;  // of filling and draining the pipeline, once per run
};

// speeds.measured(lattice.storage) must hold; steps >= 1. With neighbours lattice and prediction
// are those of one process: each of the others adds as much. cache: of schedules predicted before.
Prediction predict(const Lattice& lattice, const ScheduleOptions& options, const RunShape& shape,
                   const DeviceSpeeds& speeds, const Neighbours& neighbours = {},
                   VisitCache* cache = nullptr);

}  // namespace lbm::tiling
