// SPDX-License-Identifier: Apache-2.0

// The visits of schedules, kept for searches that predict the same schedules again with other
// speeds or another storage type, as `lbm plan` does.
#pragma once

#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include "tiling/model/queue_times.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// For one thread. Forgets all schedules when it would hold more than about 50 MB.
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

}  // namespace lbm::tiling
