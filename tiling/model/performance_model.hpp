// SPDX-License-Identifier: Apache-2.0

// Predicts how long a run takes from its own schedule: the scheduler makes the visits that the run
// would do, and a model of the device, three queues with measured speeds, works them off in order,
// each visit after those that it waits for. The schedule is not described a second time here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "solver/backend/speeds.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// The schedule that DeviceSpeeds::Update::blocked_bytes_per_second is measured with.
inline constexpr int blocked_steps = 2;
constexpr int blocked_planes(bool gpu) { return gpu ? 32 : 8; }

// Measures blocked_bytes_per_second of all storage types, in a few seconds. It stays 0 for a
// storage type whose test lattice does not fit into `budget` bytes.
void measure_blocked(Backend& backend, std::size_t budget, DeviceSpeeds& speeds);

// The run that a prediction is for, besides lattice and schedule.
struct RunShape {
  std::int64_t steps = 1;
  std::int64_t output_interval = 0;  // steps between outputs: sweeps end on them; 0 for none
  std::int64_t longest_sweep = 0;    // most steps of a sweep for other reasons; 0 for no limit

  // Steps in which sweeps may have any length: from one output to the next.
  std::int64_t stretch() const {
    return output_interval > 0 && output_interval < steps ? output_interval : steps;
  }
  // The most steps that a sweep can have.
  std::int64_t most_steps() const {
    return longest_sweep > 0 && longest_sweep < stretch() ? longest_sweep : stretch();
  }
};

// The processes that share a grid, each with a slab of the same size and a device of its own. Halo
// planes go from one process to the next while the rest of the sweep runs. They cost time in the
// queues of the device, and where a sweep is shorter than their time on the network.
struct Neighbours {
  int processes = 1;
  ExchangeKind exchange = ExchangeKind::device;
  // Between two processes; 0: as a copy on one device for ExchangeKind::device, else no limit.
  double bytes_per_second = 0;
  double latency = 0;  // seconds that each plane is on its way besides, for kinds that join hosts

  bool any() const { return processes > 1; }
};

// The part of a visit that costs time: amounts of work, and the visits that the work waits for.
struct VisitWork {
  int loads, stores, halo_in, halo_out;  // planes
  int launches;
  int planes = 0;  // updates of one plane
  int passing =
      0;           // those whose result the next update of a pass reads, so that it is never stored
  int paired = 0;  // those in passes of two updates
  int passes = 0;
  int load_after_update, load_after_store, update_after_store;
  int sweeps_completed;
};

// The visits of schedules, kept for searches that predict the same schedules again with other
// speeds or another storage type, as `lbm plan` does. For one thread. Forgets all schedules when it
// would hold more than about 50 MB.
class VisitCache {
 public:
  // The visits of that many sweeps of `steps` steps, without the prologue. Valid until the next
  // call.
  const std::vector<VisitWork>& visits(const PlaneGrid& grid, const ScheduleOptions& options,
                                       int steps, int sweeps);

 private:
  using Key = std::tuple<int, bool, int, Scheme, int, int, int, int, int>;

  std::map<Key, std::vector<VisitWork>> known_;
  std::size_t held_ = 0;  // visits
};

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
