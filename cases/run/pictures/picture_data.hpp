// SPDX-License-Identifier: Apache-2.0

// The data of a picture from passing planes. A slice or projection has one number for each column
// of cells along the view; surfaces are a file of the points where they cross the cells.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "cases/case/case_outputs.hpp"
#include "io/files/place.hpp"

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

// A plane of the box, [ny][nx], in lattice units.
struct SurfacePlane {
  std::span<const float> numbers;  // of the isosurface
  std::span<const float> colours;  // the coloured numbers
  std::span<const float> solid;    // 0: fluid
};

// A point of the surface in a cube between eight cell centres: the mean of the places where edges
// of the cube cross the surface (surface nets: Gibson 1998, "Constrained elastic surface nets",
// MICCAI). Points of the four cubes around a crossed edge are a face.
struct SurfaceCube {
  std::array<float, 3> cube;  // its lowest corner, a cell, from -1: cubes at the border are flat
  // Bit a: the edge from the lowest corner along axis a is crossed; bit 3: that corner is above.
  float edges = 0;
  std::array<float, 3> at;  // in cells from the corner of the box
  float colour = 0;         // the coloured number there; not a number: of a body
};

// Appends the points of layers between planes as soon as both are there, in any order. Planes come
// in any order, each once; in (cyclic) order at most four are kept. Bodies are the border of solid
// cells; the isosurface ends at them.
class SurfaceFile {
 public:
  // cells: of the box, at least 2 along each axis. head: with which the file begins. Throws
  // ResourceError.
  SurfaceFile(const std::array<int, 3>& cells, float isovalue, bool bodies, const io::Place& place,
              std::string_view head);

  // Plane z of the box, counted from 0. Throws ResourceError.
  void add_plane(int z, const SurfacePlane& plane, int threads);
  bool is_complete() const { return static_cast<int>(done_.size()) == cells_[2] + 1; }
  // Gives the complete file its name. Throws ResourceError.
  void commit();
  bool any_above() const { return any_above_; }
  bool any_below() const { return any_below_; }

  // Memory for planes of so many cells.
  static std::uint64_t bytes(std::int64_t plane_cells);

 private:
  struct Plane {
    std::vector<float> numbers, colours, solid;  // numbers: not a number where solid
  };
  struct Found {  // by one thread
    std::vector<SurfaceCube> cubes;
    bool any_above = false, any_below = false;
  };
  void add_layer(int z, int threads);
  void add_row(int y, int z, const std::array<const Plane*, 2>& planes, bool body, Found& found);
  void write(std::vector<SurfaceCube>& cubes);  // by any thread
  void check() const;

  std::array<int, 3> cells_;
  float isovalue_;
  bool bodies_;
  io::PartialFile file_;
  io::UniqueFd fd_;
  std::uint64_t bytes_ = 0;
  int error_ = 0;  // of writing
  std::map<int, Plane> planes_;
  std::set<int> done_;  // layers, by their lower plane
  bool any_above_ = false, any_below_ = false;
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace lbm::cases
