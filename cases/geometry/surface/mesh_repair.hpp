// SPDX-License-Identifier: Apache-2.0

// Repairs of a mesh: joins the corners of open edges, and orients shells so that they wind around
// the solid.
#pragma once

#include <string>
#include <vector>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// The median of all edges, counted once for each triangle; 0 without triangles.
double usual_edge(const Mesh& mesh);

// Moves each vertex of an open edge to an earlier one that is no farther away than `tolerance` (>
// 0, in units of the mesh). Vertices at open edges only, so that closed parts stay as they are.
// Triangles may get equal corners.
void weld_open_edges(Mesh& mesh, double tolerance);

// Triangles that contradict their neighbours follow the majority of their shell. A mesh of negative
// volume is turned as a whole. Then shells oriented inward are turned, except those within another
// shell: they are cavities. Appends a warning that begins with `name` for each such repair. Throws
// UsageError for a surface that cannot be oriented.
//
// A mesh that is not closed gets only the first of these repairs. If it cannot be oriented it stays
// as it is, with a warning.
void orient(Mesh& mesh, bool closed, const std::string& name, std::vector<std::string>& warnings);

}  // namespace lbm::geometry
