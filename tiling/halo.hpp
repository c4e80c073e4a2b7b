// Haloed tiles: each visit brings B planes [a, b) to level k, starting from level 0 of [a-k, b+k)
// and computing the shrinking ranges [a-k+s, b+k-s) between. The halos are computed again by the
// neighbouring tiles: (B + k - 1) / B times the work of the wavefront far from walls. Level-0
// planes stay on the device until the last tile that needs them, so that the link carries each
// plane once each way per sweep, as in the wavefront.
#pragma once

#include <deque>
#include <optional>

#include "tiling/plan.hpp"
#include "tiling/slot_pool.hpp"
#include "tiling/sweep_state.hpp"

namespace lbm::tiling {

class HaloPlanner final : public Planner {
 public:
  HaloPlanner(const Grid& grid, int steps, int planes);

  std::optional<Visit> next(const SweepSource& source) override;
  int slots() const override { return slots_needed(grid_, steps_, planes_); }
  int resident_slot(int) const override { return -1; }

  static int slots_needed(const Grid& grid, int steps, int planes);

 private:
  // Planes [begin, begin + count), counted from the sweep's origin and modulo nz.
  struct Range {
    int begin, count;
  };

  Range range(int tile, int halo) const;
  int tiles() const { return (grid_.nz + planes_ - 1) / planes_; }
  int plane(int origin, int i) const { return ((origin + i) % grid_.nz + grid_.nz) % grid_.nz; }
  std::vector<int> reads(int origin, int tile, int halo) const;

  int earliest_start(const Sweep& sweep) const;
  void start_sweep(const Sweep& sweep, Visit& visit);
  void plan_tile(int tile, Visit& visit);
  void load(int tile, Visit& visit);
  std::uint64_t owned_bits(const Range& owned, int first, int count) const;
  void update(int tile, int level, Visit& visit);
  void finish(int tile, Visit& visit);

  Grid grid_;
  int steps_, planes_;
  SlotPool pool_;
  std::optional<Sweep> pending_;      // asked for, but its planes are not stored yet
  std::optional<SweepState> state_;   // the sweep under way
  std::vector<int> level0_reads_;     // per plane, for the sweep under way
  std::vector<int> stored_in_visit_;  // per plane
  int visit_ = 0, start_ = 0, origin_ = 0, sweeps_ = 0;
};

}  // namespace lbm::tiling
