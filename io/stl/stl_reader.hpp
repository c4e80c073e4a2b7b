// Reads triangle surfaces from STL files, text or binary.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

namespace lbm::io {

// Corners of a triangle in file order; its normal is dropped.
using StlFacet = std::array<std::array<float, 3>, 3>;

// All triangles of all solids in the file, checked by check_stl_file() and read by VTK. Throws
// UsageError, one line, for an incomplete or invalid STL file, non-finite coordinates, and in a
// program built without VTK. Prints nothing.
std::vector<StlFacet> read_stl(const std::filesystem::path& path);

// Whether this program was built with VTK, which reads STL files.
bool can_read_stl();

}  // namespace lbm::io
