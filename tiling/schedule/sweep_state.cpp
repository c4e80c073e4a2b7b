// SPDX-License-Identifier: Apache-2.0
#include "tiling/schedule/sweep_state.hpp"

namespace lbm::tiling {

int distinct_neighbours(const PlaneGrid& grid, int z) {
  int count = 0;
  for_each_neighbour(grid, z, [&](int) { ++count; });
  return count;
}

SweepState::SweepState(const PlaneGrid& grid, const Sweep& sweep, int number)
    : grid_(grid),
      sweep_(sweep),
      number_(number),
      slots_(static_cast<std::size_t>(sweep.steps + 1) * grid.nz, -1),
      reads_(slots_.size(), 0),
      stored_(slots_.size(), false) {}

void SweepState::place(int level, int plane, int slot, int reads) {
  slots_[index(level, plane)] = slot;
  reads_[index(level, plane)] = reads;
}

Update SweepState::update(int level, int first, int count, int visit, SlotPool& pool,
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

void SweepState::read(int level, int plane, int visit, SlotPool& pool) {
  const std::size_t i = index(level, plane);
  if (--reads_[i] == 0) free(i, visit, pool);
}

void SweepState::free_unread(int level, int plane, int visit, SlotPool& pool) {
  const std::size_t i = index(level, plane);
  if (slots_[i] >= 0 && reads_[i] == 0) free(i, visit, pool);
}

void SweepState::free(std::size_t index, int visit, SlotPool& pool) {
  if (stored_[index]) {
    pool.free_after_store(slots_[index], visit);
  } else {
    pool.free_after_update(slots_[index], visit);
  }
  slots_[index] = -1;
}

}  // namespace lbm::tiling
