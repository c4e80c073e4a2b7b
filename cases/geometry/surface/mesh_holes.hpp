// SPDX-License-Identifier: Apache-2.0

// Holes of a mesh that is not closed.
#pragma once

#include "cases/geometry/mesh.hpp"
#include "cases/geometry/surface/open_surface.hpp"

namespace lbm::geometry {

// One side of a hole: the triangles pass from `from` to `to` `times` more often than back.
struct BorderEdge {
  std::int32_t from, to;
  std::int32_t times;
};

// All of them. As often as they enter a vertex they leave it: they bound a surface.
std::vector<BorderEdge> border_of(const Mesh& mesh);

struct ClosedHoles {
  Holes holes;
  double volume = 0;  // enclosed by the mesh and one cone of triangles over each hole; >= 0
};

// The apex of each cone is the centroid of the hole's edges: a flat hole gets a flat cap.
ClosedHoles close_holes(const Mesh& mesh);

}  // namespace lbm::geometry
