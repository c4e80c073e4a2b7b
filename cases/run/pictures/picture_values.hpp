// SPDX-License-Identifier: Apache-2.0

// The numbers of a slice or projection: one for each column of cells along the view.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cases/case/case_outputs.hpp"

namespace lbm::cases {

// The axes of a picture to the right and upwards.
std::array<std::size_t, 2> picture_axes(int normal);

// Takes the planes of a box of cells in any order: the result is the same bits for every order, as
// means are sums of integers (2^-38 of a lattice unit; numbers beyond +-16 count as that). A slice
// is a projection of one cell. Memory: one plane of the picture, 12 bytes a cell for means, 4 for
// maxima and slices.
class PictureValues {
 public:
  // cells: of the box, at least 1 along each axis. normal: the axis along which the picture looks.
  PictureValues(const std::array<int, 3>& cells, int normal, ProjectionKind kind);

  // The cells of plane z of the box (from 0), [ny][nx], in lattice units; not a number: not fluid.
  // Each plane once. So many threads share the work.
  void add_plane(int z, std::span<const float> values, int threads);
  bool is_complete() const { return planes_ == cells_[2]; }
  // Rows from below, [height][width]; not a number: no fluid there. Requires is_complete().
  std::vector<float> values() const;

 private:
  void take(float value, std::size_t column);

  std::array<int, 3> cells_;
  int normal_;
  bool means_;
  int planes_ = 0;
  std::vector<std::int64_t> sums_;    // of means
  std::vector<std::int32_t> counts_;  // of means: fluid cells in the sums
  std::vector<float> most_;           // otherwise; not a number: none yet
};

}  // namespace lbm::cases
