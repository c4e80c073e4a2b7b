// SPDX-License-Identifier: Apache-2.0
#include "tiling/model/visit_cache.hpp"

#include <utility>

#include "tiling/schedule/make_scheduler.hpp"

namespace lbm::tiling {
namespace {

std::vector<VisitWork> visits_of(const PlaneGrid& grid, const ScheduleOptions& options, int steps,
                                 int sweeps) {
  const auto scheduler = make_scheduler(grid, options);
  const int first = scheduler->prologue() ? 1 : 0;
  int left = sweeps;
  const SweepSource source = [&]() -> std::optional<Sweep> {
    return left-- > 0 ? std::optional<Sweep>(Sweep{steps}) : std::nullopt;
  };
  std::vector<VisitWork> visits;
  while (const auto visit = scheduler->next(source)) visits.push_back(work_of(*visit, first));
  return visits;
}

}  // namespace

const std::vector<VisitWork>& VisitCache::visits(const PlaneGrid& grid,
                                                 const ScheduleOptions& options, int steps,
                                                 int sweeps) {
  constexpr std::size_t most_visits = std::size_t{1} << 20;
  const Key key{grid.nz,
                grid.periodic,
                grid.slab_planes,
                options.scheme,
                options.steps_per_visit,
                options.planes_per_visit,
                options.updates_together,
                steps,
                sweeps};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  auto visits = visits_of(grid, options, steps, sweeps);
  held_ += visits.size();
  if (held_ > most_visits) {
    known_.clear();
    held_ = visits.size();
  }
  return known_.emplace(key, std::move(visits)).first->second;
}

}  // namespace lbm::tiling
