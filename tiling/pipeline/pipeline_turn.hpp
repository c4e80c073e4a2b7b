// A visit under way in the pipeline: its events, what it counts. Internal to
// tiling/pipeline/pipeline.cpp.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "tiling/pipeline/pipeline.hpp"

namespace lbm::tiling {

struct Pipeline::Turn {
  struct Stage {
    std::unique_ptr<Event> begin, end;
    bool used = false;
    int last_used = -1;  // newest visit up to this one with work in this queue
  };

  Turn(Backend& backend, Tracer* tracer, int nz) {
    if (tracer != nullptr) slices.emplace(*tracer, nz);
    for (Stage& stage : stages) {
      stage.begin = backend.make_event();
      stage.end = backend.make_event();
    }
  }
  Stage& stage(Queue queue) { return stages[static_cast<std::size_t>(queue)]; }

  std::array<Stage, 3> stages;
  std::optional<PendingSlices> slices;  // where there is a trace
  struct Records {                      // of a sweep that the visit completes
    std::int64_t step, number;          // of its last step
    int steps;
    bool sampled;
  };
  std::vector<Records> records;
  std::int64_t updates = 0;
  std::uint64_t bytes_in = 0, bytes_out = 0;
  int halo_in = 0, halo_out = 0;
  int sweeps_completed = 0;
};

}  // namespace lbm::tiling
