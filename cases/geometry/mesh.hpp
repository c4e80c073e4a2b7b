// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cases/geometry/affine.hpp"

namespace lbm::geometry {

// Triangles as triples of vertex indices, counterclockwise seen from outside.
struct Mesh {
  std::vector<Vec> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

// Corners of a triangle.
using Facet = std::array<std::array<float, 3>, 3>;

// A mesh whose triangles share no vertices.
Mesh mesh_of_facets(std::span<const Facet> facets);

// State of a mesh. `degenerate` to `non_finite` are zero for a closed and consistently oriented
// one.
struct MeshReport {
  std::int64_t triangles = 0;
  std::int64_t degenerate = 0;     // triangles without area
  std::int64_t open_edges = 0;     // edges of one triangle only
  std::int64_t crowded_edges = 0;  // edges of more than two triangles
  std::int64_t odd_edges = 0;      // edges of three, five, ... triangles
  std::int64_t flipped_edges = 0;  // edges of two triangles with opposite orientation
  std::int64_t non_finite = 0;     // vertices
  std::int64_t shells = 0;         // parts connected by edges of two triangles
  double volume = 0;               // enclosed; negative where the surface is inside out
};

MeshReport check_mesh(const Mesh& mesh);

// Merges vertices with equal coordinates, and drops those without a triangle.
Mesh weld(const Mesh& mesh);

// Moves every vertex; a mirroring transform also flips the triangles, so that outside stays
// outside.
Mesh moved(Mesh mesh, const Affine& a);

}  // namespace lbm::geometry
