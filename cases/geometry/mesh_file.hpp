// Bodies from STL files.
#pragma once

#include <filesystem>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

// Reads the surface of an STL file and prepares it (prepare_mesh), in the units of the file. Throws
// UsageError, one line that begins with the path.
PreparedMesh load_mesh(const std::filesystem::path& path);

}  // namespace lbm::geometry
