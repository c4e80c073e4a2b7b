// SPDX-License-Identifier: Apache-2.0

// Chooses a schedule for a lattice, a device and its memory: for runs, for the checks before them,
// and for `lbm plan`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "solver/backend/speeds.hpp"
#include "solver/boundary/boundaries.hpp"
#include "solver/lattice/lattice.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Sizes of the output that the sinks of a run will request.
struct OutputShape {
  std::int64_t field_cells = 0;  // FieldSink::most_plane_cells(); 0: no field sink
  int probes = 0;
  int boxes = 0;  // of RecordSink::boxes()
};

// The memory that a pipeline will take on the device, before there is one. slab_planes: of the
// slab, where the grid has several; 0: the whole grid.
std::size_t device_bytes_needed(const Lattice& lattice, const Boundaries& boundaries,
                                const ScheduleOptions& options, const OutputShape& outputs,
                                int slab_planes = 0);

// The same on the host, for output fields. staging_limit: PipelineConfig::staging_limit.
std::size_t host_bytes_needed(const Lattice& lattice, const ScheduleOptions& options,
                              const OutputShape& outputs, std::uint64_t staging_limit);

// The request for a schedule. Empty members are left to the choice.
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

// In core if the lattice fits into device_budget bytes; otherwise temporal blocking by the
// wavefront, with the steps and planes a visit that the model predicts to be the fastest of those
// that fit. On an integrated GPU always in core. Throws ResourceError if no schedule that the
// request allows fits.
ScheduleChoice choose_schedule(const Lattice& lattice, const Boundaries& boundaries,
                               const ScheduleRequest& request, std::uint64_t device_budget);

// The device memory of the smallest schedule that the request allows.
std::uint64_t least_device_bytes(const Lattice& lattice, const Boundaries& boundaries,
                                 const ScheduleRequest& request);

// Parts of choose_schedule().

// Steps that a GPU makes in one pass over its memory, 1 or 2: as the request says, or what is
// faster by the device's speeds; short runs do not wait for these to be measured.
int gpu_steps_per_pass(const Lattice& lattice, const ScheduleRequest& request);

// The fastest schedule out of core, as the model predicts it. Compares the steps and planes a visit
// that the request allows and that fit into device_budget. Returns the choice with the least memory
// among those within 0.3 % of the fastest; empty if nothing fits. request.speeds must not be empty.
std::optional<ScheduleChoice> fastest_choice(
    const Lattice& lattice, const ScheduleRequest& request, std::uint64_t device_budget,
    const std::function<std::uint64_t(const ScheduleOptions&)>& device_bytes);

}  // namespace lbm::tiling
