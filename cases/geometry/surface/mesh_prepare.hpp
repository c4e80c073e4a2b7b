// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces as files have them: read, checked and repaired. Repairs join the corners of
// open edges, and orient shells so that they wind around the solid.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cases/geometry/mesh.hpp"
#include "solver/core/time_limit.hpp"

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

struct PrepareOptions {
  OpenSurface open = OpenSurface::refuse;
  // Corners of open edges that are no farther apart are joined; default: 1e-6 of the diagonal. In
  // the units of the mesh.
  std::optional<double> merge_tolerance = {};
  TimeLimit limit = {};
};

struct PreparedMesh {
  Mesh mesh;
  MeshReport left;                    // after the repair
  bool closed = true;                 // and consistently oriented
  Holes holes;                        // of a mesh that is not closed
  double volume = 0;                  // enclosed; holes count as closed by flat or conical caps
  std::vector<std::string> warnings;  // one line for each repair, without the holes
};

// Welds, checks and repairs. Repairs, each with a warning: drops triangles with two equal corners,
// welds the vertices of open edges within the tolerance, and turns triangles
// (orient() in mesh_prepare.cpp). A shell oriented inward within another one is a cavity. A mesh
// that may stay open is accepted as it is where it is not closed or cannot be oriented. Throws
// UsageError, one line that begins with `name`, for no triangles, non-finite values, a tolerance
// above half of the usual edge, and a surface that must be closed, but is open or cannot be
// oriented. Throws TimeLimitReached.
PreparedMesh prepare_mesh(const Mesh& mesh, const std::string& name,
                          const PrepareOptions& options = {});

// Reads the surface of an STL or OBJ file (io/surface/surface_reader.hpp), of these solids
// only, if there are any, and prepares it, in the units of the file. Throws UsageError, one line
// that begins with the path, and TimeLimitReached.
PreparedMesh load_mesh(const std::filesystem::path& path,
                       const std::vector<std::string>& solids = {},
                       const PrepareOptions& options = {});

}  // namespace lbm::geometry
