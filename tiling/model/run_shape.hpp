// SPDX-License-Identifier: Apache-2.0

// The run that a prediction is for, besides lattice and schedule.
#pragma once

#include <cstdint>

#include "tiling/schedule/exchange_kind.hpp"

namespace lbm::tiling {

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

}  // namespace lbm::tiling
