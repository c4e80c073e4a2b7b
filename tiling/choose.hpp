// Chooses a schedule for a lattice, a device and its memory. The same arithmetic serves the run,
// the checks before it, and what the user is told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tiling/pipeline.hpp"

namespace lbm::tiling {

// What the user fixed; what is empty is chosen.
struct PlanRequest {
  std::optional<Scheme> scheme;
  std::optional<int> steps_per_visit, planes_per_visit;
  std::int64_t steps = 1;  // of the run
  bool emits = true;       // fields will be handed out
  int threads = 0;         // Backend::threads()
};

struct PlanChoice {
  PlanOptions options;
  std::uint64_t device_bytes = 0;  // planes, flags, output fields
  std::uint64_t host_bytes = 0;    // the lattice on the host, or the staging planes
  std::string reason;              // one sentence
};

// In-core where it fits into device_budget bytes, otherwise the wavefront with the most steps a
// visit (up to 64) that fit. Throws ResourceError when nothing that the request allows does.
PlanChoice choose_plan(const Lattice& lattice, const Flags& flags, const PlanRequest& request,
                       std::uint64_t device_budget);

}  // namespace lbm::tiling
