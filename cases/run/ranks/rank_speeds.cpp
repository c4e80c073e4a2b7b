// SPDX-License-Identifier: Apache-2.0
#include "cases/run/ranks/rank_speeds.hpp"

#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/setup/setup.hpp"

namespace lbm::cases {
namespace {

// speeds_of() the device of each process. The first process of a host measures where that is
// needed, and keeps what it finds for those that come after it. All processes must call it.
DeviceSpeeds speeds_in_turn(Backend& backend, tiling::Ranks& ranks) {
  DeviceSpeeds speeds;
  const bool first = ranks.local_rank() == 0;
  if (first) speeds = speeds_of(backend, measuring_budget(backend));
  ranks.barrier();
  if (!first) speeds = speeds_of(backend, measuring_budget(backend));
  return speeds;
}

}  // namespace

bool schedule_needs_speeds(const Case& own, const Backend& backend, int planes) {
  if (backend.kind() == BackendKind::cpu) return false;
  if (own.tiling.scheme == tiling::Scheme::in_core) return false;
  if (own.tiling.steps_per_visit && own.tiling.planes_per_visit) return false;
  const auto& n = own.grid.cells;
  const std::uint64_t slab =
      make_plane_layout(n[0], n[1], own.lattice.storage, own.lattice.representation.value()).bytes *
      static_cast<std::uint64_t>(planes);
  return own.tiling.scheme.has_value() || slab > device_budget(own, backend);
}

DeviceSpeeds speeds_together(Backend& backend, tiling::Ranks& ranks) {
  if (backend.kind() == BackendKind::cpu) {
    ranks.barrier();
    return measure_speeds(backend, measuring_budget(backend));
  }
  DeviceSpeeds speeds = speeds_in_turn(backend, ranks);
  measure_link_of_both(backend, speeds, [&] { ranks.barrier(); });
  return speeds;
}

}  // namespace lbm::cases
