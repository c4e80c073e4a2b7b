// SPDX-License-Identifier: Apache-2.0

// The numbers of a picture: a value for each column of cells that the picture looks along.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cases/case/case_pictures.hpp"

namespace lbm::cases {

// A picture before it has colours: [height][width], the lowest row first.
struct PictureField {
  int width = 0, height = 0;
  std::vector<float> values;  // not a number: no fluid there

  float at(int x, int y) const {
    return values[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

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
  // The picture, with its values multiplied by `scale`. Requires is_complete().
  PictureField field(double scale) const;

 private:
  struct Cells {              // a part of a plane, whose columns have no cells of another part
    std::array<int, 2> x, y;  // from, to
  };
  struct Column {  // what some cells of a column add
    std::int64_t sum = 0;
    std::int32_t count = 0;
    float most = std::numeric_limits<float>::quiet_NaN();
  };
  void take(float value, Column& column) const;
  void add(std::size_t number, const Column& column);
  void add_cells(int z, std::span<const float> values, const Cells& cells);

  std::array<int, 3> cells_;
  std::array<std::size_t, 2> axes_;
  bool means_;
  int planes_ = 0;
  std::vector<std::int64_t> sums_;    // of means
  std::vector<std::int32_t> counts_;  // of means: fluid cells in the sums
  std::vector<float> most_;           // otherwise; not a number: none yet
};

}  // namespace lbm::cases
