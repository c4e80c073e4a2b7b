// SPDX-License-Identifier: Apache-2.0

// Repairs of a mesh: joins the corners of open edges, and orients shells so that they wind around
// the solid.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// Treatment of a surface of triangles. refuse: the surface must be closed; its inside is solid.
// fill: if the surface is not closed, a point is solid if most of six rays meet the surface
// (FilledShape). shell: the surface, closed or not, is a solid wall of some thickness
// (ShellShape).
enum class OpenSurface { refuse, fill, shell };
constexpr auto enum_names(OpenSurface) { return std::array{"refuse", "fill", "shell"}; }

// The border of a surface: edges that its triangles do not pass as often in one direction as in the
// other.
struct Holes {
  std::int64_t edges = 0;  // of the border
  std::int64_t count = 0;  // parts of the border that do not touch
  double length = 0;       // of all edges, as often as they are passed in excess
  double area = 0;         // of plane caps; of the projection along which it is largest for others
};

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
