// SPDX-License-Identifier: Apache-2.0

// The state of one sweep, for the schedulers of all schemes: the slot of each plane at each level,
// and how many updates still have to read it.
#pragma once

#include <functional>
#include <vector>

#include "tiling/schedule/schedule.hpp"
#include "tiling/schedule/slot_pool.hpp"

namespace lbm::tiling {

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
int distinct_neighbours(const PlaneGrid& grid, int z);

// A table (level, plane) of slots and of reads that are still to come.
class SweepState {
 public:
  SweepState(const PlaneGrid& grid, const Sweep& sweep, int number);

  const Sweep& sweep() const { return sweep_; }
  int number() const { return number_; }
  int slot(int level, int plane) const { return slots_[index(level, plane)]; }
  void place(int level, int plane, int slot, int reads);

  // A store, too, reads the slot of the plane, in the visit that fills it.
  void keep_for_store(int level, int plane) { stored_[index(level, plane)] = true; }
  // Frees the slot of a plane that no update reads: next to a wall at the end of a slab.
  void free_unread(int level, int plane, int visit, SlotPool& pool);
  bool is_stored(int level, int plane) const { return stored_[index(level, plane)]; }

  // Makes the update of `count` planes from `first` (modulo nz) to `level`: takes output slots,
  // counts down the reads of the input planes and frees planes without further reads. The i-th
  // output plane gets reads_of(i) reads to come.
  Update update(int level, int first, int count, int visit, SlotPool& pool,
                const std::function<int(int)>& reads_of);

 private:
  // Counts down one read of a plane; frees its slot after the updates of `visit` at the last one.
  void read(int level, int plane, int visit, SlotPool& pool);
  void free(std::size_t index, int visit, SlotPool& pool);

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
