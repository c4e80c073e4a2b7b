// SPDX-License-Identifier: Apache-2.0

// Temporal blocking by a time-skewed wavefront; and in-core stepping, which is the same with
// resident planes.
//
// Visit b of a sweep loads planes [bB, (b+1)B) and then, for s = 1 ... k, brings planes
// [bB - s, (b+1)B - s) to level s. Each plane reaches each level exactly once. Between visits two
// planes of every level stay on the device (Wonnacott 2000; Wellein et al. 2009 call it wavefront
// parallelisation).
//
// Periodic z: there is no wall to start from, so level s starts at plane s and ends, once around,
// at plane s - 1; the first two planes of every level are kept for that end. The next sweep starts
// k planes further up, at the plane that this sweep stored first.
//
// A slab (schedule.hpp) does the same, but the planes beyond its end come from the slab above as
// halo planes, which are loaded after its own planes; and its own first two planes of each level go
// to the slab below.
//
// The next sweep starts while this one drains, as soon as its loads find stored planes.
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <numeric>
#include <optional>
#include <vector>

#include "tiling/schedule/schedule.hpp"
#include "tiling/schedule/sweep_state.hpp"

namespace lbm::tiling {

class WavefrontScheduler final : public Scheduler {
 public:
  // Scheme in_core: all planes stay on the device from the prologue on; sweeps do not overlap.
  WavefrontScheduler(const PlaneGrid& grid, const ScheduleOptions& options)
      : grid_(grid),
        planes_(options.planes_per_visit),
        least_updates_(options.updates_per_visit),
        together_(options.updates_together),
        resident_(options.scheme == Scheme::in_core),
        pool_(slots_needed(grid, options)),
        next_origin_(grid.slab_first) {}

  std::optional<Visit> prologue() override {
    if (!resident_) return std::nullopt;
    Visit visit;
    residents_.assign(static_cast<std::size_t>(grid_.nz), -1);
    for (int i = 0; i < grid_.planes(); ++i) {
      const int z = (grid_.slab_first + i) % grid_.nz;
      residents_[z] = pool_.take_for_load(visit_);
      visit.loads.push_back({z, i, residents_[z]});
    }
    ++visit_;
    return visit;
  }

  // Joins visits of resident planes: slots that an update frees may be written by the next one. A
  // visit must end with a sweep that reads its planes, before they are overwritten. Visits of a
  // slab are not joined, since neighbours wait for their halo planes.
  std::optional<Visit> next(const SweepSource& source) override {
    auto visit = next_block(source);
    const auto planes = [](int sum, const Update& u) {
      return sum + static_cast<int>(u.out.size());
    };
    const auto count = [&](const Visit& v) {
      return std::accumulate(v.updates.begin(), v.updates.end(), 0, planes);
    };
    int updates = visit ? count(*visit) : 0;
    while (resident_ && !grid_.is_slab() && visit && updates < least_updates_ && !planes_wanted_) {
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

  int slots() const override { return pool_.capacity(); }
  int resident_slot(int plane) const override {
    return residents_.empty() ? -1 : residents_[plane];
  }

  int first_plane() const override { return next_origin_; }
  int first_home() const override { return next_home_; }

  static int slots_needed(const PlaneGrid& grid, const ScheduleOptions& options) {
    const int steps = options.steps_per_visit, planes = options.planes_per_visit;
    // The slots that a group of updates has read are free only after the last update of the group.
    const int held = (std::min(options.updates_together, steps) - 1) * (planes + 2);
    if (grid.is_slab()) {
      // Outgoing halo planes keep their slots as stores do; a short sweep has all of them at a
      // time.
      const int halo_planes = std::min(2 * steps, 4 * planes);
      if (options.scheme == Scheme::in_core) {
        // Only halo planes are loaded and stored; those of store_lag visits wait for their queues.
        const int of_visit = std::min(4 * steps, 2 * planes);
        return grid.slab_planes + 2 * steps + planes + held + 4 + halo_planes +
               store_lag * of_visit;
      }
      return 2 * steps + 5 * planes + held + 4 + halo_planes;
    }
    if (options.scheme == Scheme::in_core) {
      return grid.nz + planes + held + 2 + 2 * (steps - 1) * (grid.periodic ? 2 : 1);
    }
    return 2 * steps * (grid.periodic ? 2 : 1) + 5 * planes + held + 4;
  }

 private:
  struct Active {
    SweepState state;
    int origin, home;  // plane where the sweep starts, and its place in the store
    int start;         // its first visit
  };

  // Planes of a sweep are counted from its origin.
  int plane_at(const Active& active, int i) const { return (active.origin + i) % grid_.nz; }
  // True if each sweep starts further up than the sweep before: there is no wall to start from.
  bool drifts() const { return grid_.periodic || grid_.is_slab(); }
  // Level s lags s - lead() planes behind the block: with resident planes level 1 can update the
  // whole block; otherwise the plane above the block is not loaded yet, or is a halo plane.
  int lead() const { return resident_ && !grid_.is_slab() ? 1 : 0; }
  // The number of updates that read plane i of that level.
  int reads(const Active& active, int level, int i) const {
    const int z = plane_at(active, i);
    if (level == active.state.sweep().steps) return 0;
    if (!grid_.is_slab()) return distinct_neighbours(grid_, z);
    int count = 0;
    for (int d = -1; d <= 1; ++d) {
      const bool own = i + d > level && i + d <= level + grid_.planes();
      const int reader = (z + d + grid_.nz) % grid_.nz;
      if (own && neighbour(grid_, reader, -d) == z) ++count;
    }
    return count;
  }

  std::optional<Visit> next_block(const SweepSource& source) {
    Visit visit;
    planes_wanted_ = false;
    if (!pending_ && (visit_ >= next_start_ || active_.empty())) pending_ = source();
    if (!pending_ && active_.empty()) return std::nullopt;
    if (pending_ && visit_ >= next_start_ && visit_ >= start_after_fields(*pending_)) {
      start_sweep(*pending_, visit);
      pending_.reset();
    }
    if (!resident_ || grid_.is_slab()) {
      visit.load_after_update = visit_ - load_lag;
      visit.load_after_store = visit.update_after_store = visit_ - store_lag;
    }
    for (Active& active : active_) {
      load(active, visit);
      update(active, visit);
      mark_passing(active, visit);
    }
    pool_.release();
    while (!active_.empty() &&
           visit_ + 1 >= active_.front().start + visits(active_.front().state.sweep())) {
      const Active& done = active_.front();
      const int steps = done.state.sweep().steps, first = drifts() ? steps - lead() : 0;
      for (int i = first; resident_ && i < first + grid_.planes(); ++i) {
        residents_[plane_at(done, i)] = done.state.slot(steps, plane_at(done, i));
      }
      planes_wanted_ |= done.state.sweep().reads_planes();
      active_.pop_front();
      ++visit.sweeps_completed;
    }
    ++visit_;
    return visit;
  }

  // The first visit of the next sweep that keeps the order of fields: all of one sweep before those
  // of the next. A short sweep could finish its first plane before the long one ahead its last.
  int start_after_fields(const Sweep& next) const {
    if (resident_ || active_.empty()) return visit_;
    const Active& before = active_.back();
    if (!before.state.sweep().emit || !next.emit) return visit_;
    // The i-th plane is finished (i + way * steps) / B visits after the start.
    const int way = drifts() ? 2 : 1;
    const int last = (grid_.planes() - 1 + way * before.state.sweep().steps) / planes_;
    return before.start + last - way * next.steps / planes_;
  }

  void start_sweep(const Sweep& sweep, Visit& visit) {
    active_.push_back({SweepState(grid_, sweep, sweeps_++), next_origin_, next_home_, visit_});
    visit.started.push_back(sweep);
    if (drifts() && (!resident_ || grid_.is_slab())) {
      next_origin_ = (next_origin_ + sweep.steps) % grid_.nz;
      next_home_ = (next_home_ + sweep.steps) % grid_.planes();
    }
    if (resident_) {
      next_start_ = visit_ + visits(sweep);
      Active& active = active_.back();
      for (int i = 0; i < grid_.planes(); ++i) {
        const int z = plane_at(active, i);
        active.state.place(0, z, residents_[z], reads(active, 0, i));
      }
      return;
    }
    // The i-th plane is stored (i + distance) / B visits after the start, and may be loaded again
    // store_lag visits later.
    const int distance = sweep.steps * (drifts() ? 2 : 1);
    next_start_ = visit_ + std::max(ceil_div(grid_.planes(), planes_),
                                    ceil_div(distance, planes_) + store_lag);
  }

  // Halo planes come after the planes of the slab: two of each level.
  void load(Active& active, Visit& visit) {
    const int begin = (visit_ - active.start) * planes_, own = grid_.planes();
    const int halo_planes = grid_.is_slab() ? 2 * active.state.sweep().steps : 0;
    for (int i = begin; i < std::min(begin + planes_, own); ++i) {
      if (!resident_) {
        const int plane = plane_at(active, i), slot = pool_.take_for_load(visit_);
        active.state.place(0, plane, slot, reads(active, 0, i));
        visit.loads.push_back({plane, (active.home + i) % own, slot});
      }
      send(active, 0, i, visit);
    }
    for (int i = std::max(begin, own); i < std::min(begin + planes_, own + halo_planes); ++i) {
      const int level = (i - own) / 2, at = own + level + (i - own) % 2;
      const int plane = plane_at(active, at), slot = pool_.take_for_load(visit_);
      active.state.place(level, plane, slot, reads(active, level, at));
      visit.halo_in.push_back({active.state.number(), level, plane, slot});
      active.state.free_unread(level, plane, visit_, pool_);
    }
  }

  // Sends plane i of a level if the slab below needs it.
  void send(Active& active, int level, int i, Visit& visit) {
    if (!grid_.is_slab() || level == active.state.sweep().steps || i >= level + 2) return;
    const int plane = plane_at(active, i);
    visit.halo_out.push_back(
        {active.state.number(), level, plane, active.state.slot(level, plane)});
    active.state.keep_for_store(level, plane);
    active.state.free_unread(level, plane, visit_, pool_);
  }

  void update(Active& active, Visit& visit) {
    const int steps = active.state.sweep().steps;
    const int block = (visit_ - active.start) * planes_;
    for (int level = 1; level <= steps; ++level) {
      const int lag = level - lead();
      const int first_ever = drifts() ? lag : 0;
      const int begin = std::max(block - lag, first_ever);
      const int end = std::min(block + planes_ - lag, first_ever + grid_.planes());
      if (begin >= end) continue;
      const auto reads_of = [&](int i) { return reads(active, level, begin + i); };
      visit.updates.push_back(
          active.state.update(level, active.origin + begin, end - begin, visit_, pool_, reads_of));
      for (int i = begin; i < end; ++i) send(active, level, i, visit);
      if (visit.updates.size() % static_cast<std::size_t>(together_) == 0) pool_.release();
      if (level == steps) finish(active, begin, end - begin, visit);
    }
  }

  // A plane of this visit without reads to come was read in this visit, by the update right after
  // its own, which is the next level's.
  void mark_passing(const Active& active, Visit& visit) {
    for (Update& update : visit.updates) {
      if (update.sweep != active.state.number() || update.level == active.state.sweep().steps) {
        continue;
      }
      for (std::size_t i = 0; i < update.out.size(); ++i) {
        const int plane = (update.first_plane + static_cast<int>(i)) % grid_.nz;
        const bool gone = active.state.slot(update.level, plane) < 0;
        if (gone && !active.state.is_stored(update.level, plane)) {
          update.passing |= std::uint64_t{1} << i;
        }
      }
    }
  }

  void finish(Active& active, int first, int count, Visit& visit) {
    for (int i = first; i < first + count; ++i) {
      const int plane = plane_at(active, i);
      const int slot = active.state.slot(active.state.sweep().steps, plane);
      if (active.state.sweep().reads_planes()) {
        visit.finished.push_back({active.state.number(), plane, slot});
      }
      if (resident_) continue;
      visit.stores.push_back(
          {plane, (active.home + i) % grid_.planes(), slot, active.state.number()});
      pool_.free_after_store(slot, visit_);
    }
  }

  static int ceil_div(int a, int b) { return (a + b - 1) / b; }
  int visits(const Sweep& sweep) const {
    const int lag = sweep.steps - lead();
    return ceil_div(grid_.planes() + lag + (drifts() ? lag : 0), planes_);
  }

  PlaneGrid grid_;
  int planes_, least_updates_, together_;
  bool resident_;
  SlotPool pool_;
  std::deque<Active> active_;     // oldest first
  std::optional<Sweep> pending_;  // waits for its planes to be stored
  std::vector<int> residents_;
  bool planes_wanted_ = false;  // a sweep that reads its planes ended in the last block
  int visit_ = 0, next_start_ = 0, sweeps_ = 0;
  int next_origin_, next_home_ = 0;
};

}  // namespace lbm::tiling
