#include "tiling/wavefront.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace lbm::tiling {
namespace {

int ceil_div(int a, int b) { return (a + b - 1) / b; }

}  // namespace

WavefrontPlanner::WavefrontPlanner(const Grid& grid, const PlanOptions& options)
    : grid_(grid),
      planes_(options.planes_per_visit),
      least_updates_(options.updates_per_visit),
      together_(options.updates_together),
      resident_(options.scheme == Scheme::in_core),
      pool_(slots_needed(grid, options)) {}

int WavefrontPlanner::resident_slot(int plane) const {
  return residents_.empty() ? -1 : residents_[plane];
}

// Level s leads or lags: with resident planes level 1 needs no plane beyond its block, otherwise
// the plane above the block is not loaded yet.
int WavefrontPlanner::visits(const Sweep& sweep) const {
  const int lag = sweep.steps - (resident_ ? 1 : 0);
  return ceil_div(grid_.nz + lag + (grid_.periodic ? lag : 0), planes_);
}

// Slots freed by an update may be written by the next one, so visits of resident planes can be
// joined: until the planes that a sweep ends with are looked at.
std::optional<Visit> WavefrontPlanner::next(const SweepSource& source) {
  auto visit = next_block(source);
  const auto planes = [](int sum, const Update& u) { return sum + static_cast<int>(u.out.size()); };
  const auto count = [&](const Visit& v) {
    return std::accumulate(v.updates.begin(), v.updates.end(), 0, planes);
  };
  int updates = visit ? count(*visit) : 0;
  while (resident_ && visit && updates < least_updates_ && !planes_wanted_) {
    auto more = next_block(source);
    if (!more) break;
    updates += count(*more);
    std::move(more->updates.begin(), more->updates.end(), std::back_inserter(visit->updates));
    std::move(more->finished.begin(), more->finished.end(), std::back_inserter(visit->finished));
    std::move(more->started.begin(), more->started.end(), std::back_inserter(visit->started));
    visit->sweeps_completed += more->sweeps_completed;
  }
  return visit;
}

std::optional<Visit> WavefrontPlanner::next_block(const SweepSource& source) {
  Visit visit;
  planes_wanted_ = false;
  if (!pending_ && (visit_ >= next_start_ || active_.empty())) pending_ = source();
  if (!pending_ && active_.empty()) return std::nullopt;
  if (pending_ && visit_ >= next_start_ && visit_ >= start_after_fields(*pending_)) {
    start_sweep(*pending_, visit);
    pending_.reset();
  }
  if (!resident_) {
    visit.load_after_update = visit_ - load_lag;
    visit.load_after_store = visit.update_after_store = visit_ - store_lag;
  }
  for (Active& active : active_) {
    if (!resident_) load(active, visit);
    update(active, visit);
    mark_passing(active, visit);
  }
  pool_.release();
  while (!active_.empty() &&
         visit_ + 1 >= active_.front().start + visits(active_.front().state.sweep())) {
    const Active& done = active_.front();
    for (int z = 0; resident_ && z < grid_.nz; ++z) {
      residents_[z] = done.state.slot(done.state.sweep().steps, z);
    }
    planes_wanted_ |= done.state.sweep().looks_at_planes();
    active_.pop_front();
    ++visit.sweeps_completed;
  }
  ++visit_;
  return visit;
}

// A short sweep after a long one could finish its first plane before the other one its last. Fields
// of one sweep are handed out before those of the next.
int WavefrontPlanner::start_after_fields(const Sweep& next) const {
  if (resident_ || active_.empty()) return visit_;
  const Active& before = active_.back();
  if (!before.state.sweep().emit || !next.emit) return visit_;
  // The i-th plane is finished (i + way * steps) / B visits after the start.
  const int way = grid_.periodic ? 2 : 1;
  const int last = (grid_.nz - 1 + way * before.state.sweep().steps) / planes_;
  return before.start + last - way * next.steps / planes_;
}

void WavefrontPlanner::start_sweep(const Sweep& sweep, Visit& visit) {
  active_.push_back({SweepState(grid_, sweep, sweeps_++), next_origin_, visit_});
  visit.started.push_back(sweep);
  if (resident_) {
    next_start_ = visit_ + visits(sweep);
    for (int z = 0; z < grid_.nz; ++z) {
      active_.back().state.place(0, z, residents_[z], distinct_neighbours(grid_, z));
    }
    return;
  }
  // The i-th plane is stored (i + distance) / B visits after the start, and may be loaded again
  // store_lag visits later.
  const int distance = sweep.steps * (grid_.periodic ? 2 : 1);
  next_start_ =
      visit_ + std::max(ceil_div(grid_.nz, planes_), ceil_div(distance, planes_) + store_lag);
  if (grid_.periodic) next_origin_ = (next_origin_ + sweep.steps) % grid_.nz;
}

void WavefrontPlanner::load(Active& active, Visit& visit) {
  const int begin = (visit_ - active.start) * planes_;
  for (int i = begin; i < std::min(begin + planes_, grid_.nz); ++i) {
    const int plane = (active.origin + i) % grid_.nz;
    const int slot = pool_.take_for_load(visit_);
    active.state.place(0, plane, slot, distinct_neighbours(grid_, plane));
    visit.loads.push_back({plane, slot});
  }
}

std::optional<Visit> WavefrontPlanner::prologue() {
  if (!resident_) return std::nullopt;
  Visit visit;
  for (int z = 0; z < grid_.nz; ++z) {
    residents_.push_back(pool_.take_for_load(visit_));
    visit.loads.push_back({z, residents_.back()});
  }
  ++visit_;
  return visit;
}

void WavefrontPlanner::update(Active& active, Visit& visit) {
  const int steps = active.state.sweep().steps, lead = resident_ ? 1 : 0;
  const int block = (visit_ - active.start) * planes_;
  for (int level = 1; level <= steps; ++level) {
    const int lag = level - lead;
    const int first_ever = grid_.periodic ? lag : 0;
    const int begin = std::max(block - lag, first_ever);
    const int end = std::min(block + planes_ - lag, first_ever + grid_.nz);
    if (begin >= end) continue;
    const auto reads = [&](int z) { return level == steps ? 0 : distinct_neighbours(grid_, z); };
    visit.updates.push_back(
        active.state.update(level, active.origin + begin, end - begin, visit_, pool_, reads));
    if (visit.updates.size() % static_cast<std::size_t>(together_) == 0) pool_.release();
    if (level == steps) finish(active, active.origin + begin, end - begin, visit);
  }
}

// What no update has to read any more was read in this visit: by the update right after, which is
// of the next level.
void WavefrontPlanner::mark_passing(const Active& active, Visit& visit) {
  for (Update& update : visit.updates) {
    if (update.sweep != active.state.number() || update.level == active.state.sweep().steps) {
      continue;
    }
    for (std::size_t i = 0; i < update.out.size(); ++i) {
      const int plane = (update.first_plane + static_cast<int>(i)) % grid_.nz;
      if (active.state.slot(update.level, plane) < 0) update.passing |= std::uint64_t{1} << i;
    }
  }
}

void WavefrontPlanner::finish(Active& active, int first, int count, Visit& visit) {
  for (int i = 0; i < count; ++i) {
    const int plane = (first + i) % grid_.nz;
    const int slot = active.state.slot(active.state.sweep().steps, plane);
    if (active.state.sweep().looks_at_planes()) {
      visit.finished.push_back({active.state.number(), plane, slot});
    }
    if (resident_) continue;
    visit.stores.push_back({plane, slot, active.state.number()});
    pool_.free_after_store(slot, visit_);
  }
}

int WavefrontPlanner::slots_needed(const Grid& grid, const PlanOptions& options) {
  const int steps = options.steps_per_visit, planes = options.planes_per_visit;
  // What a group of updates has read is free after the last one of them only.
  const int held = (std::min(options.updates_together, steps) - 1) * (planes + 2);
  if (options.scheme == Scheme::in_core) {
    return grid.nz + planes + held + 2 + 2 * (steps - 1) * (grid.periodic ? 2 : 1);
  }
  return 2 * steps * (grid.periodic ? 2 : 1) + 5 * planes + held + 4;
}

}  // namespace lbm::tiling
