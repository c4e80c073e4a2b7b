// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces as files have them: read, checked and repaired.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cases/geometry/mesh.hpp"
#include "cases/geometry/surface/mesh_repair.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

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
// welds the vertices of open edges within the tolerance, and turns triangles (orient() in
// mesh_repair.hpp). A shell oriented inward within another one is a cavity. A mesh that may stay
// open is accepted as it is where it is not closed or cannot be oriented. Throws UsageError, one
// line that begins with `name`, for no triangles, non-finite values, a tolerance above half of the
// usual edge, and a surface that must be closed, but is open or cannot be oriented. Throws
// TimeLimitReached.
PreparedMesh prepare_mesh(const Mesh& mesh, const std::string& name,
                          const PrepareOptions& options = {});

// Reads the surface of an STL or OBJ file (io/surface/surface_reader.hpp), of these solids
// only, if there are any, and prepares it, in the units of the file. Throws UsageError, one line
// that begins with the path, and TimeLimitReached.
PreparedMesh load_mesh(const std::filesystem::path& path,
                       const std::vector<std::string>& solids = {},
                       const PrepareOptions& options = {});

}  // namespace lbm::geometry
