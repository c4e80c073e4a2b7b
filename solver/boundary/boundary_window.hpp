// SPDX-License-Identifier: Apache-2.0

// Boundary data on a device that works on a part of the grid at a time: solid cells, links and
// forces of the planes of a window, and the conditions of all faces. The window moves up through
// the grid. Every plane's data have a fixed place, which other planes share (window_places.hpp):
// kernels read them as if all planes were there.
//
// Plain data: it tells which bytes to copy, and copies none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/boundary/boundaries.hpp"
#include "solver/boundary/window_places.hpp"

namespace lbm {

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
  BoundaryView view(const std::byte* base) const;

  // The copies after which the data of planes first ... first + count - 1 (modulo nz) are in the
  // memory. visit, oldest: as in PlacedItems::take().
  std::vector<Copy> fetch(int first, int count, int visit, int oldest);

 private:
  void place_masks(int planes);
  void place_lists(int planes);
  void place_forces(int planes);
  void place_arrays();
  std::size_t images() const {
    return host_.images == nullptr ? 0 : static_cast<std::size_t>(host_.body_count);
  }
  std::span<const std::byte> faces() const;
  void add_mask(int mask, std::vector<Copy>& copies) const;
  void add_list(int list, std::vector<Copy>& copies) const;
  void add_force(int force, std::vector<Copy>& copies) const;
  std::size_t force_bytes() const {
    return static_cast<std::size_t>(3 * host_.force_cells) * sizeof(float);
  }
  std::size_t fluid_starts(int mask) const;
  std::int64_t links_of(const CellList& list) const;

  const Boundaries& boundaries_;
  BoundaryView host_;  // pointers into boundaries_
  int nz_;
  PlacedItems masks_, lists_, forces_;  // in masks; in bytes; in forces of a plane
  std::size_t mask_starts_ = 0;         // room for BoundaryView::starts of a mask
  // Bytes of the memory where they begin.
  struct {
    std::size_t mask_of, list_of, lists, starts_of, bodies, images, force_of, masks, fluid_words,
        starts, linked, forces;
  } at_ = {};
  std::size_t bytes_ = 0, table_bytes_ = 0;
};

}  // namespace lbm
