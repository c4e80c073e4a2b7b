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

#include <deque>

#include "tiling/schedule/schedule.hpp"
#include "tiling/schedule/slot_pool.hpp"
#include "tiling/schedule/sweep_state.hpp"

namespace lbm::tiling {

class WavefrontScheduler final : public Scheduler {
 public:
  // Scheme in_core: all planes stay on the device from the prologue on; sweeps do not overlap.
  WavefrontScheduler(const PlaneGrid& grid, const ScheduleOptions& options);

  std::optional<Visit> prologue() override;
  std::optional<Visit> next(const SweepSource& source) override;
  int slots() const override { return pool_.capacity(); }
  int resident_slot(int plane) const override;
  int first_plane() const override { return next_origin_; }
  int first_home() const override { return next_home_; }

  static int slots_needed(const PlaneGrid& grid, const ScheduleOptions& options);

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
  int reads(const Active& active, int level, int i) const;
  std::optional<Visit> next_block(const SweepSource& source);
  int start_after_fields(const Sweep& next) const;
  void start_sweep(const Sweep& sweep, Visit& visit);
  void load(Active& active, Visit& visit);
  void send(Active& active, int level, int i, Visit& visit);
  void update(Active& active, Visit& visit);
  void mark_passing(const Active& active, Visit& visit);
  void finish(Active& active, int first, int count, Visit& visit);
  int visits(const Sweep& sweep) const;

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
