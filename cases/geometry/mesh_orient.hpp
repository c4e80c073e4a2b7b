// Turns triangles so that each shell of a closed mesh is oriented, and winds around what is solid.
#pragma once

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// Triangles that contradict their neighbours follow the majority of their shell. A mesh of negative
// volume is turned as a whole, then shells oriented inward that lie in no other one; those within
// another are cavities and stay. Appends a warning, beginning with `name`, for each of these that
// happened. Throws UsageError for a surface without an outside.
void orient(Mesh& mesh, const std::string& name, std::vector<std::string>& warnings);

}  // namespace lbm::geometry
