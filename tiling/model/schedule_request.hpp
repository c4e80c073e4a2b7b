// SPDX-License-Identifier: Apache-2.0

// The request for a schedule, and the choice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "solver/backend/speeds.hpp"
#include "tiling/model/memory_needed.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/model/visit_cache.hpp"

namespace lbm::tiling {

// Empty members are left to the choice.
struct ScheduleRequest {
  std::optional<Scheme> scheme;
  std::optional<int> steps_per_visit, planes_per_visit, steps_per_pass;
  RunShape run;
  OutputShape outputs;           // output that the sinks request
  std::uint64_t held_bytes = 0;  // on the host, by the sinks
  int threads = 0;               // Backend::threads()
  // An integrated GPU, whose memory is the host's: a lattice "on the host" would be a copy in the
  // same memory, so every schedule is in core.
  bool integrated = false;
  // GPUs: Backend::steps_per_pass(). Empty: one.
  std::function<int(const Lattice&)> steps_in_one_pass;
  Neighbours neighbours;  // with some, the lattice is the slab of one process
  // The speeds of the device, called only if the choice depends on them. Empty: unknown; then the
  // choice is as many steps a visit as fit, up to 64.
  std::function<const DeviceSpeeds&()> speeds;
  // Copies of a request share it: searches with other speeds find the same schedules.
  std::shared_ptr<VisitCache> visits = std::make_shared<VisitCache>();
};

struct ScheduleChoice {
  ScheduleOptions options;
  std::uint64_t device_bytes = 0;  // planes, boundaries, output fields, the ring of halo planes
  std::uint64_t host_bytes = 0;    // the lattice on the host, or the staging planes
  std::string reason;              // for users, one sentence
  std::optional<Prediction> prediction;  // if the model made the choice
};

}  // namespace lbm::tiling
