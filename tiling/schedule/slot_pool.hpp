// SPDX-License-Identifier: Apache-2.0

// Gives slots to planes and takes them back. Knows when a slot may be used again.
#pragma once

#include <deque>
#include <vector>

namespace lbm::tiling {

// A slot freed by an update may be written by later updates at once (same queue), and by loads from
// load_lag visits later on. A slot freed by a store may be written by both from store_lag visits
// later on.
class SlotPool {
 public:
  explicit SlotPool(int capacity) : capacity_(capacity) {}

  // A slot for a load, or for the output of an update, of visit `visit`. Throws std::logic_error
  // where more than `capacity` slots would be needed.
  int take_for_load(int visit);
  int take_for_update(int visit);

  // The slot is held back until release().
  void free_after_update(int slot, int visit) { held_.push_back({slot, visit}); }
  void release();
  void free_after_store(int slot, int visit) { by_store_.push_back({slot, visit}); }

  int capacity() const { return capacity_; }
  int used() const { return used_; }  // slots ever handed out

 private:
  struct Free {
    int slot, visit;
  };
  int take_fresh();

  int capacity_;
  int used_ = 0;
  std::deque<Free> by_update_, by_store_;  // oldest first
  std::vector<Free> held_;
};

}  // namespace lbm::tiling
