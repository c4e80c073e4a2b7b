// Which planes of an image came.
#pragma once

#include <span>
#include <vector>

#include "io/image/image.hpp"

namespace lbm::io {

// Checks the calls to an ImageWriter; throws std::logic_error and its children.
class PlanesSeen {
 public:
  PlanesSeen(const ImageGeometry& geometry, std::span<const ArrayInfo> arrays);

  // Before plane z is written: its number, and the values of each array.
  void check(int z, std::span<const std::span<const float>> arrays) const;
  // The same for a plane of which there is no more than the number; and adds it.
  void add_once(int z);
  void add(int z) { seen_[static_cast<std::size_t>(z)] = true; }
  bool has(int z) const { return seen_[static_cast<std::size_t>(z)]; }
  void check_complete() const;

 private:
  void check_number(int z) const;

  std::size_t points_;  // of a plane
  std::vector<ArrayInfo> arrays_;
  std::vector<bool> seen_;
};

}  // namespace lbm::io
