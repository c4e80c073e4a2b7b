// SPDX-License-Identifier: Apache-2.0

// A surface beside the cells of a box, and as a stream sees it.
#pragma once

#include "cases/geometry/mesh_shape.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

struct PartCount {
  int all = 0;    // parts that share no corner of a triangle
  int empty = 0;  // those that enclose no cell centre of the box
};

// The parts of a closed surface. Along a periodic axis the box has no end. A surface of one part is
// not looked at. Throws TimeLimitReached.
PartCount count_empty_parts(const MeshShape& surface, const std::array<int, 3>& cells,
                            const std::array<bool, 3>& periodic, const TimeLimit& limit);

// Area of the projection of all triangles along an axis (0 to 2), without what hides behind: on a
// grid of 1024 points along the longer side of the projection, so that its error is of the order of
// its outline / 1024. In the units of the mesh, squared.
double frontal_area(Mesh mesh, std::size_t axis);

}  // namespace lbm::geometry
