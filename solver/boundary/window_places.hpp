// SPDX-License-Identifier: Apache-2.0

// Where the data of planes lie in a memory that is smaller than all of them together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace lbm {

struct WindowPlaces {
  std::vector<std::size_t> begin;  // of each item
  std::size_t size = 0;            // of the memory
};

// Gives every item a place of its own size, so that the items of any `window` consecutive planes
// (modulo the number of planes) do not overlap; others may. item_of: the item of each plane, which
// does not decrease from plane to plane; -1: none. Every item belongs to a plane. The memory is at
// most that of all items; some 1 / n of it where n windows and no more fit into the grid.
WindowPlaces window_places(std::span<const std::int32_t> item_of,
                           std::span<const std::size_t> sizes, int window);

// Items with such places, and which of them are in the memory.
class PlacedItems {
 public:
  PlacedItems() = default;
  // As window_places().
  PlacedItems(std::span<const std::int32_t> item_of, std::vector<std::size_t> sizes, int window);

  std::size_t size() const { return places_.size; }  // of the memory
  std::size_t begin(int item) const { return places_.begin[static_cast<std::size_t>(item)]; }
  std::size_t count() const { return sizes_.size(); }

  // A visit needs the item; visits do not decrease from call to call. Returns whether it must be
  // copied to its place. Takes the places of items that no visit after `oldest` needed, and throws
  // std::logic_error where it would have to take others: the planes of visits oldest + 1 ... visit
  // do not lie within one window.
  bool take(int item, int visit, int oldest);

 private:
  WindowPlaces places_;
  std::vector<std::size_t> sizes_;
  std::vector<int> last_visit_;           // of each item; -1: not in memory
  std::map<std::size_t, int> in_memory_;  // items by their places
};

}  // namespace lbm
