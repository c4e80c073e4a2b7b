// SPDX-License-Identifier: Apache-2.0

// Tracks the planes of an image that have been written.
#pragma once

#include <span>
#include <vector>

#include "io/image/image.hpp"

namespace lbm::io {

// Checks calls to an ImageWriter; throws std::logic_error and its subclasses.
class PlanesSeen {
 public:
  PlanesSeen(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);

  // Checks plane z before it is written: its index and the size of each array.
  void check(int z, std::span<const std::span<const float>> arrays) const;
  // Checks the index of a plane without data, and adds it.
  void add_once(int z);
  void add(int z) { seen_[static_cast<std::size_t>(z)] = true; }
  bool has(int z) const { return seen_[static_cast<std::size_t>(z)]; }
  void check_complete() const;

 private:
  void check_number(int z) const;

  std::size_t points_;  // of one plane
  std::vector<ArrayInfo> arrays_;
  std::vector<bool> seen_;
};

}  // namespace lbm::io
