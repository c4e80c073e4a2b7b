// SPDX-License-Identifier: Apache-2.0

// A box of cells whose density less 1 and velocity are handed out after a sweep.
#pragma once

#include <array>
#include <cstdint>

#include "solver/backend/backend.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm::tiling {

// count[a] cells along each axis, `stride` cells apart, from begin[a] >= 0 on, counted modulo the
// grid. A box may reach over the faces of x and y and hold a cell twice; it holds each plane of z
// at most once.
struct FieldBox {
  std::array<int, 3> begin{}, count{};
  int stride = 1;

  bool operator==(const FieldBox&) const = default;
  std::int64_t plane_cells() const { return static_cast<std::int64_t>(count[0]) * count[1]; }
  CellRectangle rectangle() const { return {begin[0], begin[1], count[0], count[1], stride}; }
  // True if the box holds plane z. nz: planes of the grid.
  bool has_plane(int z, int nz) const {
    const int distance = (z - begin[2] + nz) % nz;
    return distance % stride == 0 && distance / stride < count[2];
  }
  // The number of plane z, which the box holds, among its planes.
  int index_of(int z, int nz) const { return (z - begin[2] + nz) % nz / stride; }
};

inline FieldBox whole_box(const Lattice& lattice) {
  return {{}, {lattice.layout.nx, lattice.layout.ny, lattice.nz}};
}

}  // namespace lbm::tiling
