// SPDX-License-Identifier: Apache-2.0

// The state of one sweep, for the schedulers of all schemes: the slot of each plane at each level,
// and how many updates still have to read it.
#pragma once

#include <deque>
#include <functional>
#include <stdexcept>
#include <vector>

#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {

// Gives slots to planes and takes them back. A slot freed by an update may be written by later
// updates at once (same queue), and by loads from load_lag visits later on. A slot freed by a store
// may be written by both from store_lag visits later on.
class SlotPool {
 public:
  explicit SlotPool(int capacity) : capacity_(capacity) {}

  // A slot for a load, or for the output of an update, of visit `visit`. Throws std::logic_error
  // where more than `capacity` slots would be needed.
  int take_for_load(int visit) {
    if (!by_store_.empty() && by_store_.front().visit <= visit - store_lag) return pop(by_store_);
    if (!by_update_.empty() && by_update_.front().visit <= visit - load_lag) return pop(by_update_);
    return take_fresh();
  }

  int take_for_update(int visit) {
    if (!by_store_.empty() && by_store_.front().visit <= visit - store_lag) return pop(by_store_);
    if (!by_update_.empty()) {
      // The newest slot is the likeliest to be in a cache; the old ones are left to loads.
      const int slot = by_update_.back().slot;
      by_update_.pop_back();
      return slot;
    }
    return take_fresh();
  }

  // The slot is held back until release().
  void free_after_update(int slot, int visit) { held_.push_back({slot, visit}); }
  void release() {
    by_update_.insert(by_update_.end(), held_.begin(), held_.end());
    held_.clear();
  }

  void free_after_store(int slot, int visit) { by_store_.push_back({slot, visit}); }

  int capacity() const { return capacity_; }

 private:
  struct Free {
    int slot, visit;
  };
  static int pop(std::deque<Free>& queue) {
    const int slot = queue.front().slot;
    queue.pop_front();
    return slot;
  }
  int take_fresh() {
    if (used_ == capacity_) throw std::logic_error("SlotPool: more slots needed than promised");
    return used_++;
  }

  int capacity_;
  int used_ = 0;                           // slots ever handed out
  std::deque<Free> by_update_, by_store_;  // oldest first
  std::vector<Free> held_;
};

// Neighbour of plane z at distance d: wrapped where periodic, itself beyond a wall.
inline int neighbour(const PlaneGrid& grid, int z, int d) {
  const int n = z + d;
  if (n >= 0 && n < grid.nz) return n;
  return grid.periodic ? ((n % grid.nz) + grid.nz) % grid.nz : z;
}

// Calls visit(p) once for each distinct plane p among z - 1, z, z + 1. The update of z reads these
// planes, and their updates read z.
template <class Function>
void for_each_neighbour(const PlaneGrid& grid, int z, Function&& visit) {
  const int below = neighbour(grid, z, -1), above = neighbour(grid, z, 1);
  visit(z);
  if (below != z) visit(below);
  if (above != z && above != below) visit(above);
}

// The number of these planes: 1 to 3.
inline int distinct_neighbours(const PlaneGrid& grid, int z) {
  int count = 0;
  for_each_neighbour(grid, z, [&](int) { ++count; });
  return count;
}

// A table (level, plane) of slots and of reads that are still to come.
class SweepState {
 public:
  SweepState(const PlaneGrid& grid, const Sweep& sweep, int number)
      : grid_(grid),
        sweep_(sweep),
        number_(number),
        slots_(static_cast<std::size_t>(sweep.steps + 1) * grid.nz, -1),
        reads_(slots_.size(), 0),
        stored_(slots_.size(), false) {}

  const Sweep& sweep() const { return sweep_; }
  int number() const { return number_; }
  int slot(int level, int plane) const { return slots_[index(level, plane)]; }
  void place(int level, int plane, int slot, int reads) {
    slots_[index(level, plane)] = slot;
    reads_[index(level, plane)] = reads;
  }

  // A store, too, reads the slot of the plane, in the visit that fills it.
  void keep_for_store(int level, int plane) { stored_[index(level, plane)] = true; }
  // Frees the slot of a plane that no update reads: next to a wall at the end of a slab.
  void free_unread(int level, int plane, int visit, SlotPool& pool) {
    const std::size_t i = index(level, plane);
    if (slots_[i] >= 0 && reads_[i] == 0) free(i, visit, pool);
  }

  bool is_stored(int level, int plane) const { return stored_[index(level, plane)]; }

  // Makes the update of `count` planes from `first` (modulo nz) to `level`: takes output slots,
  // counts down the reads of the input planes and frees planes without further reads. The i-th
  // output plane gets reads_of(i) reads to come.
  Update update(int level, int first, int count, int visit, SlotPool& pool,
                const std::function<int(int)>& reads_of) {
    const auto plane = [&](int i) { return ((first + i) % grid_.nz + grid_.nz) % grid_.nz; };
    Update update{number_, level, plane(0), {}, {}, 0};
    update.in.push_back(slot(level - 1, neighbour(grid_, plane(0), -1)));
    for (int i = 0; i < count; ++i) {
      update.in.push_back(slot(level - 1, plane(i)));
      update.out.push_back(pool.take_for_update(visit));
      place(level, plane(i), update.out.back(), reads_of(i));
    }
    update.in.push_back(slot(level - 1, neighbour(grid_, plane(count - 1), 1)));
    for (int i = 0; i < count; ++i) {
      for_each_neighbour(grid_, plane(i), [&](int z) { read(level - 1, z, visit, pool); });
    }
    return update;
  }

 private:
  // Counts down one read of a plane; frees its slot after the updates of `visit` at the last one.
  void read(int level, int plane, int visit, SlotPool& pool) {
    const std::size_t i = index(level, plane);
    if (--reads_[i] == 0) free(i, visit, pool);
  }

  void free(std::size_t index, int visit, SlotPool& pool) {
    if (stored_[index]) {
      pool.free_after_store(slots_[index], visit);
    } else {
      pool.free_after_update(slots_[index], visit);
    }
    slots_[index] = -1;
  }

  std::size_t index(int level, int plane) const {
    return static_cast<std::size_t>(level) * grid_.nz + plane;
  }

  PlaneGrid grid_;
  Sweep sweep_;
  int number_;
  std::vector<int> slots_;
  std::vector<int> reads_;
  std::vector<bool> stored_;
};

}  // namespace lbm::tiling
