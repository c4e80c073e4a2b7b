// SPDX-License-Identifier: Apache-2.0

// Triangles of an isosurface, from one layer of cells at a time.
//
// The corners of a layer's cubes are cell centres of two planes. Each cube is cut into the six
// tetrahedra around its diagonal (Kuhn's), and each tetrahedron where the number passes the
// isovalue (Doi and Koide 1991, "An efficient method of triangulating equi-valued surfaces by using
// tetrahedral cells"). Neighbouring cubes and layers meet without gaps.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lbm::cases {

// A corner of a triangle. x, y, z in cells from the corner of the box: cell i has its centre at
// i + 0.5.
struct SurfacePoint {
  std::array<float, 3> at;
  std::array<float, 3> normal;  // the gradient of the number, of any length
  float colour = 0;             // the coloured number
};

// Triangles as numbers of points. Cubes do not share points.
struct SurfaceMesh {
  std::vector<SurfacePoint> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  void clear() { points.clear(), triangles.clear(); }
};

// A plane [ny][nx] of numbers; not a number: no surface passes there.
struct NumberPlane {
  std::span<const float> numbers;
  // For each number: 1: at least the isovalue, 2: below, 4: not a number.
  std::span<const std::uint8_t> sides;
  std::span<const float> colours;  // may be empty: 0
};

// As in NumberPlane::sides.
void find_sides(std::span<const float> numbers, float isovalue, std::span<std::uint8_t> sides);

// Cubes between plane z and the one above.
struct Layer {
  int nx = 0, ny = 0, z = 0;
  float isovalue = 0;
  // Planes z - 1 ... z + 2; the first and the last one, for gradients alone, may be empty.
  std::array<NumberPlane, 4> planes;
};

// Appends the triangles of the cubes of rows from ... to - 1, of ny - 1 rows.
void add_triangles(const Layer& layer, int from, int to, SurfaceMesh& mesh);

}  // namespace lbm::cases
