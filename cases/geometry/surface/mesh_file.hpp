// SPDX-License-Identifier: Apache-2.0

// Bodies from files of triangles.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/geometry/surface/mesh_prepare.hpp"

namespace lbm::geometry {

// Reads the surface of an STL or OBJ file (io/surface/surface_reader.hpp), of these solids
// only, if there are any, and prepares it, in the units of the file. Throws UsageError, one line
// that begins with the path, and TimeLimitReached.
PreparedMesh load_mesh(const std::filesystem::path& path,
                       const std::vector<std::string>& solids = {},
                       const PrepareOptions& options = {});

}  // namespace lbm::geometry
