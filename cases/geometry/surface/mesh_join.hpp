// SPDX-License-Identifier: Apache-2.0

// Joins the corners of open edges.
#pragma once

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// The median of all edges, counted once for each triangle; 0 without triangles.
double usual_edge(const Mesh& mesh);

// Moves each vertex of an open edge to an earlier one that is no farther away than `tolerance` (>
// 0, in units of the mesh). Vertices at open edges only, so that closed parts stay as they are.
// Triangles may get equal corners.
void weld_open_edges(Mesh& mesh, double tolerance);

}  // namespace lbm::geometry
