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

#include <deque>
#include <optional>

#include "tiling/schedule/schedule.hpp"
#include "tiling/schedule/slot_pool.hpp"
#include "tiling/schedule/sweep_state.hpp"

namespace lbm::tiling {

class HaloScheduler final : public Scheduler {
 public:
  HaloScheduler(const PlaneGrid& grid, int steps, int planes);

  std::optional<Visit> next(const SweepSource& source) override;
  int slots() const override { return slots_needed(grid_, steps_, planes_); }
  int resident_slot(int) const override { return -1; }
  int first_plane() const override { return origin_; }
  int first_home() const override { return home_; }

  static int slots_needed(const PlaneGrid& grid, int steps, int planes);

 private:
  // Planes [begin, begin + count), counted from the sweep's origin and modulo nz.
  struct Range {
    int begin, count;
  };

  Range range(int tile, int halo) const;
  int tiles() const { return (grid_.planes() + planes_ - 1) / planes_; }
  bool drifts() const { return grid_.periodic || grid_.is_slab(); }
  // True if plane i of a sweep of `steps` steps comes from the slab above.
  bool is_halo(int i, int steps) const { return grid_.is_slab() && i >= grid_.slab_planes - steps; }
  int home(int i) const { return (home_ + i + grid_.planes()) % grid_.planes(); }
  int plane(int origin, int i) const { return ((origin + i) % grid_.nz + grid_.nz) % grid_.nz; }
  std::vector<int> reads(int origin, int tile, int halo) const;

  int earliest_start(const Sweep& sweep) const;
  void start_sweep(const Sweep& sweep, Visit& visit);
  void plan_tile(int tile, Visit& visit);
  void load(int tile, Visit& visit);
  void load_plane(int i, int z, Visit& visit);
  std::uint64_t owned_bits(const Range& owned, int first, int count) const;
  void update(int tile, int level, Visit& visit);
  void finish(int tile, Visit& visit);

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
