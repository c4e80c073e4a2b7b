// Triangle surfaces: check and repair.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/geometry/affine.hpp"

namespace lbm::geometry {

// Triangles as triples of vertex indices, counterclockwise seen from outside.
struct Mesh {
  std::vector<Vec> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

// Corners of a triangle as read from a file.
using Facet = std::array<std::array<float, 3>, 3>;

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

// Merges vertices with equal coordinates. std::length_error above 2^31 / 3 facets.
Mesh weld(std::span<const Facet> facets);

// A mesh that is closed and consistently oriented.
struct PreparedMesh {
  Mesh mesh;
  MeshReport found;                   // before the repair
  std::vector<std::string> warnings;  // one line for each repair
};

// Welds, checks and repairs. Repairs, each with a warning: drops triangles with two equal corners,
// welds the vertices of open edges within 1e-6 of the diagonal, and turns triangles (orient() in
// mesh_orient.hpp). A shell oriented inward within another one is a cavity. Throws UsageError, one
// line that begins with `name`, for no triangles, non-finite values, and a surface that is open or
// cannot be oriented.
PreparedMesh prepare_mesh(std::span<const Facet> facets, const std::string& name);

// Moves every vertex; a mirroring transform also flips the triangles, so that outside stays
// outside.
Mesh moved(Mesh mesh, const Affine& a);

}  // namespace lbm::geometry
