// SPDX-License-Identifier: Apache-2.0

// Temporal blocking in haloed tiles: each visit brings B planes [a, b) to level k. It starts from
// level 0 of [a-k, b+k) and computes the shrinking ranges [a-k+s, b+k-s) in between. Neighbouring
// tiles compute the halos again: (B + k - 1) / B times the work of the wavefront far from walls.
// Level-0 planes stay on the device until the last tile that needs them, so that the link carries
// each plane once each way per sweep, as in the wavefront.
//
// A slab (schedule.hpp) of n planes from a on makes [a + k, a + k + n); its halo planes are the
// first 2k planes of level 0 of the slab above.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "tiling/schedule/schedule.hpp"
#include "tiling/schedule/sweep_state.hpp"

namespace lbm::tiling {

class HaloScheduler final : public Scheduler {
 public:
  HaloScheduler(const PlaneGrid& grid, int steps, int planes)
      : grid_(grid),
        steps_(steps),
        planes_(planes),
        pool_(slots_needed(grid, steps, planes)),
        stored_in_visit_(grid.nz, -store_lag),
        origin_(grid.slab_first) {}

  std::optional<Visit> next(const SweepSource& source) override {
    Visit visit;
    if (!state_) {
      if (!pending_) pending_ = source();
      if (!pending_) return std::nullopt;
      if (visit_ >= earliest_start(*pending_)) {
        start_sweep(*pending_, visit);
        pending_.reset();
      }
    }
    visit.load_after_update = visit_ - load_lag;
    visit.load_after_store = visit.update_after_store = visit_ - store_lag;
    if (state_) plan_tile(visit_ - start_, visit);
    ++visit_;
    return visit;
  }

  int slots() const override { return slots_needed(grid_, steps_, planes_); }
  int resident_slot(int) const override { return -1; }
  int first_plane() const override { return origin_; }
  int first_home() const override { return home_; }

  static int slots_needed(const PlaneGrid& grid, int steps, int planes) {
    const int tile = std::min(grid.nz, planes + 2 * steps);
    const int kept = grid.periodic || grid.is_slab() ? std::min(grid.nz, 2 * steps) : 0;
    return 2 * std::min(grid.nz, tile + kept) + tile + 8 * planes + 4;
  }

 private:
  // Planes [begin, begin + count), counted from the sweep's origin and modulo nz.
  struct Range {
    int begin, count;
  };

  // The planes of the tile and `halo` planes on either side, as far as the grid reaches.
  Range range(int tile, int halo) const {
    int begin = tile * planes_ - halo, end = std::min((tile + 1) * planes_, grid_.planes()) + halo;
    if (grid_.is_slab()) return {begin, end - begin};  // across the ends of z, too
    if (!grid_.periodic) {
      begin = std::max(begin, 0);
      end = std::min(end, grid_.nz);
    } else if (end - begin >= grid_.nz) {  // once around is enough
      begin = 0;
      end = grid_.nz;
    }
    return {begin, end - begin};
  }

  int tiles() const { return (grid_.planes() + planes_ - 1) / planes_; }
  bool drifts() const { return grid_.periodic || grid_.is_slab(); }
  // True if plane i of a sweep of `steps` steps comes from the slab above.
  bool is_halo(int i, int steps) const { return grid_.is_slab() && i >= grid_.slab_planes - steps; }
  int home(int i) const { return (home_ + i + grid_.planes()) % grid_.planes(); }
  int plane(int origin, int i) const { return ((origin + i) % grid_.nz + grid_.nz) % grid_.nz; }
  // For each plane: how many updates of the tile's range with this halo read it.
  std::vector<int> reads(int origin, int tile, int halo) const {
    std::vector<int> counts(grid_.nz, 0);
    const Range outputs = range(tile, halo);
    for (int i = 0; i < outputs.count; ++i) {
      for_each_neighbour(grid_, plane(origin, outputs.begin + i), [&](int z) { ++counts[z]; });
    }
    return counts;
  }

  // Every plane must be stored at least store_lag visits before the first tile that loads it.
  int earliest_start(const Sweep& sweep) const {
    const int origin = drifts() ? (origin_ + sweep.steps) % grid_.nz : 0;
    std::vector<bool> seen(grid_.nz, false);
    int earliest = visit_;
    for (int tile = 0; tile < tiles(); ++tile) {
      const Range needed = range(tile, sweep.steps);
      for (int i = 0; i < needed.count; ++i) {
        if (is_halo(needed.begin + i, sweep.steps)) continue;
        const int z = plane(origin, needed.begin + i);
        if (!seen[z]) earliest = std::max(earliest, stored_in_visit_[z] + store_lag - tile);
        seen[z] = true;
      }
    }
    return earliest;
  }

  void start_sweep(const Sweep& sweep, Visit& visit) {
    state_.emplace(grid_, sweep, sweeps_++);
    start_ = visit_;
    if (drifts()) {
      origin_ = (origin_ + sweep.steps) % grid_.nz;
      home_ = (home_ + sweep.steps) % grid_.planes();
    }
    visit.started.push_back(sweep);
    loaded_.assign(static_cast<std::size_t>(grid_.nz), false);
    level0_reads_.assign(grid_.nz, 0);
    for (int tile = 0; tile < tiles(); ++tile) {
      const auto counts = reads(origin_, tile, sweep.steps - 1);
      for (int z = 0; z < grid_.nz; ++z) level0_reads_[z] += counts[z];
    }
  }

  void plan_tile(int tile, Visit& visit) {
    load(tile, visit);
    for (int level = 1; level <= state_->sweep().steps; ++level) update(tile, level, visit);
    finish(tile, visit);
    if (tile + 1 < tiles()) return;
    state_.reset();
    visit.sweeps_completed = 1;
  }

  void load(int tile, Visit& visit) {
    const Range needed = range(tile, state_->sweep().steps);
    for (int i = 0; i < needed.count; ++i) {
      const int z = plane(origin_, needed.begin + i);
      if (loaded_[z]) continue;  // by an earlier tile
      loaded_[z] = true;
      load_plane(needed.begin + i, z, visit);
    }
  }

  void load_plane(int i, int z, Visit& visit) {
    const int slot = pool_.take_for_load(visit_), steps = state_->sweep().steps;
    state_->place(0, z, slot, level0_reads_[z]);
    if (is_halo(i, steps)) {
      visit.halo_in.push_back({state_->number(), 0, z, slot});
    } else {
      visit.loads.push_back({z, home(i), slot});
    }
    if (grid_.is_slab() && i < steps) {
      visit.halo_out.push_back({state_->number(), 0, z, slot});
      state_->keep_for_store(0, z);
    }
    state_->free_unread(0, z, visit_, pool_);
  }

  // Bit i: the tile owns plane first + i, which is counted modulo nz where the halo wraps around.
  std::uint64_t owned_bits(const Range& owned, int first, int count) const {
    std::uint64_t bits = 0;
    for (int i = 0; i < count; ++i) {
      const int z = plane(0, first + i);
      if (z >= owned.begin && z < owned.begin + owned.count) bits |= std::uint64_t{1} << i;
    }
    return bits;
  }

  void update(int tile, int level, Visit& visit) {
    const int steps = state_->sweep().steps;
    const Range outputs = range(tile, steps - level), owned = range(tile, 0);
    std::vector<int> counts(grid_.nz, 0);
    if (level < steps) counts = reads(origin_, tile, steps - level - 1);
    for (int i = 0; i < outputs.count; i += planes_) {
      visit.updates.push_back(state_->update(
          level, origin_ + outputs.begin + i, std::min(planes_, outputs.count - i), visit_, pool_,
          [&](int j) { return counts[plane(origin_, outputs.begin + i + j)]; }));
      visit.updates.back().counted =
          owned_bits(owned, outputs.begin + i, static_cast<int>(visit.updates.back().out.size()));
      if (level < steps) {
        for (int j = 0; j < static_cast<int>(visit.updates.back().out.size()); ++j) {
          state_->free_unread(level, plane(origin_, outputs.begin + i + j), visit_, pool_);
        }
      }
      pool_.release();
    }
  }

  void finish(int tile, Visit& visit) {
    const Range done = range(tile, 0);
    for (int i = 0; i < done.count; ++i) {
      const int z = plane(origin_, done.begin + i);
      const int slot = state_->slot(state_->sweep().steps, z);
      if (state_->sweep().reads_planes()) visit.finished.push_back({state_->number(), z, slot});
      visit.stores.push_back({z, home(done.begin + i), slot, state_->number()});
      pool_.free_after_store(slot, visit_);
      stored_in_visit_[z] = visit_;
    }
  }

  PlaneGrid grid_;
  int steps_, planes_;
  SlotPool pool_;
  std::optional<Sweep> pending_;      // waits for its planes to be stored
  std::optional<SweepState> state_;   // the sweep under way
  std::vector<int> level0_reads_;     // per plane, for the sweep under way
  std::vector<bool> loaded_;          // per plane, by the sweep under way
  std::vector<int> stored_in_visit_;  // per plane
  int visit_ = 0, start_ = 0, sweeps_ = 0;
  int origin_, home_ = 0;  // the sweep's first plane at the last level, and its place in the store
};

}  // namespace lbm::tiling
