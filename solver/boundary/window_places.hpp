// SPDX-License-Identifier: Apache-2.0

// Where the data of planes lie in a memory that is smaller than all of them together.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace lbm
