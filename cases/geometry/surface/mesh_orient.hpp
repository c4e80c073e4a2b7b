// SPDX-License-Identifier: Apache-2.0

// Orients the shells of a closed mesh so that they wind around the solid.
#pragma once

#include <string>
#include <vector>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// Triangles that contradict their neighbours follow the majority of their shell. A mesh of negative
// volume is turned as a whole. Then shells oriented inward are turned, except those within another
// shell: they are cavities. Appends a warning that begins with `name` for each such repair. Throws
// UsageError for a surface that cannot be oriented.
void orient(Mesh& mesh, const std::string& name, std::vector<std::string>& warnings);

// Only the first of these repairs, for a mesh with holes. A mesh that cannot be oriented stays as
// it is, with a warning.
void orient_neighbours(Mesh& mesh, const std::string& name, std::vector<std::string>& warnings);

}  // namespace lbm::geometry
