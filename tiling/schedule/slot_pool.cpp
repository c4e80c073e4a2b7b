// SPDX-License-Identifier: Apache-2.0
#include "tiling/schedule/slot_pool.hpp"

#include <stdexcept>

#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling {
namespace {

template <class Queue>
int pop(Queue& queue) {
  const int slot = queue.front().slot;
  queue.pop_front();
  return slot;
}

}  // namespace

int SlotPool::take_for_load(int visit) {
  if (!by_store_.empty() && by_store_.front().visit <= visit - store_lag) return pop(by_store_);
  if (!by_update_.empty() && by_update_.front().visit <= visit - load_lag) return pop(by_update_);
  return take_fresh();
}

int SlotPool::take_for_update(int visit) {
  if (!by_store_.empty() && by_store_.front().visit <= visit - store_lag) return pop(by_store_);
  if (!by_update_.empty()) {
    // The newest slot is the likeliest to be in a cache; the old ones are left to loads.
    const int slot = by_update_.back().slot;
    by_update_.pop_back();
    return slot;
  }
  return take_fresh();
}

void SlotPool::release() {
  by_update_.insert(by_update_.end(), held_.begin(), held_.end());
  held_.clear();
}

int SlotPool::take_fresh() {
  if (used_ == capacity_) throw std::logic_error("SlotPool: more slots needed than promised");
  return used_++;
}

}  // namespace lbm::tiling
