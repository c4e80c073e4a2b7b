// SPDX-License-Identifier: Apache-2.0

// Boundary data on a device that works on a part of the grid at a time: solid cells, links and
// forces of the planes of a window, and the conditions of all faces. The window moves up through
// the grid. Every plane's data have a fixed place, which other planes share (PlacedItems):
// kernels read them as if all planes were there.
//
// Plain data: it tells which bytes to copy, and copies none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "solver/boundary/boundaries.hpp"

namespace lbm {

// Where the data of planes lie in a memory that is smaller than all of them together.
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

class BoundaryWindow {
 public:
  struct Copy {
    std::size_t to;  // byte of the memory
    std::span<const std::byte> from;
  };

  // True if the boundaries hold data that a window leaves out: solid cells or forces.
  static bool useful(const Boundaries& boundaries);

  // boundaries: must be useful() and outlive the window. planes: size of the window.
  BoundaryWindow(const Boundaries& boundaries, int planes);

  // The size of the memory. Its first bytes are tables(), before the first use.
  std::size_t bytes() const { return bytes_; }
  std::vector<std::byte> tables() const;
  // Pointers into a memory at `base`.
  BoundaryView view(const std::byte* base) const { return placed(host_, at_, base); }

  // The copies after which the data of planes first ... first + count - 1 (modulo nz) are in the
  // memory. visit, oldest: as in PlacedItems::take().
  std::vector<Copy> fetch(int first, int count, int visit, int oldest);

 private:
  void place_arrays();
  std::size_t images() const {
    return host_.images == nullptr ? 0 : static_cast<std::size_t>(host_.body_count);
  }
  std::span<const std::byte> faces() const;
  void add_mask(int mask, std::vector<Copy>& copies) const;
  void add_list(int list, std::vector<Copy>& copies) const;
  void add_force(int force, std::vector<Copy>& copies) const;
  std::size_t force_bytes() const {
    return static_cast<std::size_t>(host_.force_values * host_.force_cells) * sizeof(float);
  }
  std::size_t fluid_starts(int mask) const;
  std::int64_t links_of(const CellList& list) const;

  const Boundaries& boundaries_;
  BoundaryView host_;  // pointers into boundaries_
  int nz_;
  PlacedItems masks_, lists_, forces_;  // in masks; in bytes; in forces of a plane
  std::size_t mask_starts_ = 0;         // room for BoundaryView::starts of a mask
  BoundaryOffsets at_;
  std::size_t bytes_ = 0, table_bytes_ = 0;
};

}  // namespace lbm
