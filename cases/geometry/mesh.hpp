// A surface of triangles: its check and its repair.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cases/geometry/affine.hpp"

namespace lbm::geometry {

// Triangles by the numbers of their vertices, counterclockwise as seen from outside.
struct Mesh {
  std::vector<Vec> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

// Corners of a triangle, as a file gives them.
using Facet = std::array<std::array<float, 3>, 3>;

// What is to be said of a mesh; a closed and consistently oriented one has zeros from `degenerate`
// to `non_finite`.
struct MeshReport {
  std::int64_t triangles = 0;
  std::int64_t degenerate = 0;     // triangles without area
  std::int64_t open_edges = 0;     // of one triangle only
  std::int64_t crowded_edges = 0;  // of more than two triangles
  std::int64_t odd_edges = 0;      // of three, five, ... triangles
  std::int64_t flipped_edges = 0;  // of two triangles that are oriented against each other
  std::int64_t non_finite = 0;     // vertices
  std::int64_t shells = 0;         // parts that hang together by edges of two triangles
  double volume = 0;               // enclosed; negative where the surface is inside out
};

MeshReport check_mesh(const Mesh& mesh);

// Vertices of equal coordinates become one. At most 2^31 / 3 facets (std::length_error).
Mesh weld(std::span<const Facet> facets);

// A mesh that is closed and consistently oriented.
struct PreparedMesh {
  Mesh mesh;
  MeshReport found;                   // before the repair
  std::vector<std::string> warnings;  // one line each: what was repaired
};

// Welds and checks. Repaired, with a warning: triangles with two equal corners (dropped), open
// edges that close when their vertices are welded within 1e-6 of the diagonal, and what orient()
// turns (mesh_orient.hpp); a shell oriented inward within another one is a cavity. Throws
// UsageError, one line that begins with `name`, for no triangles, values that are not finite, and a
// surface that is not closed or has no outside.
PreparedMesh prepare_mesh(std::span<const Facet> facets, const std::string& name);

// Every vertex moved; a mirroring transform keeps outside outside.
Mesh moved(Mesh mesh, const Affine& a);

}  // namespace lbm::geometry
