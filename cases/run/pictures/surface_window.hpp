// SPDX-License-Identifier: Apache-2.0

// A picture of an isosurface and of bodies, from passing planes.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "cases/run/pictures/depth_buffer.hpp"
#include "cases/run/pictures/isosurface.hpp"

namespace lbm::cases {

// A plane of the box, [ny][nx], in lattice units.
struct SurfacePlane {
  std::span<const float> numbers;  // of the isosurface
  std::span<const float> colours;  // the coloured numbers
  std::span<const float> solid;    // 0: fluid
};

// Draws the layers between planes as soon as the planes around them are there. Planes come in any
// order, each once; in (cyclic) order at most 12 are kept. The picture is the same bits for every
// order. Bodies are drawn along the border of solid cells, whose corners are rounded by 0.4 cells
// at most.
class SurfaceWindow {
 public:
  // cells: of the box, at least 2 along each axis.
  SurfaceWindow(const std::array<int, 3>& cells, float isovalue, bool bodies, DepthBuffer buffer);

  // Plane z of the box, counted from 0.
  void add_plane(int z, const SurfacePlane& plane, int threads);
  bool is_complete() const { return static_cast<int>(done_.size()) == cells_[2] - 1; }
  const DepthBuffer& buffer() const { return buffer_; }
  // All sides of the isovalue on which the numbers are, as find_sides() has them, or-ed.
  unsigned sides() const { return sides_; }

  // Memory for planes of so many cells, beside the buffer.
  static std::uint64_t bytes(std::int64_t plane_cells);

 private:
  struct Numbers {  // of one surface on a plane
    std::vector<float> numbers, colours;
    std::vector<std::uint8_t> sides;

    NumberPlane view() const { return {numbers, sides, colours}; }
  };
  struct Plane {
    Numbers flow, body;  // body: empty without solid cells nearby, or not made yet
    std::vector<std::uint8_t> solid;
    bool has_solids = false, body_made = false;
  };

  bool has(int z) const { return z < 0 || z >= cells_[2] || planes_.contains(z); }
  void keep(int z, const SurfacePlane& plane, int threads);
  void make_body(int z, int threads);
  void make_body_row(Plane& plane, const std::array<const Plane*, 3>& around, int y,
                     std::vector<int>& sums) const;
  void draw_layer(int z, int threads);
  void draw(const Layer& layer, bool bodies, int threads);
  void forget(int z);

  std::array<int, 3> cells_;
  float isovalue_;
  bool bodies_;
  DepthBuffer buffer_;
  std::map<int, Plane> planes_;
  std::vector<Plane> free_;  // for reuse
  unsigned sides_ = 0;
  std::set<int> done_;  // layers that are drawn, by their lower plane
};

}  // namespace lbm::cases
