// Reads surfaces of triangles from STL files, text or binary.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

namespace lbm::io {

// The corners of a triangle, in the order of the file; its normal is not kept.
using StlFacet = std::array<std::array<float, 3>, 3>;

// All triangles, of all solids of the file. Checks the file first (check_stl_file); VTK reads it.
// Throws UsageError, one line, for a file that is not a whole STL file, for coordinates that are
// not finite, and in a program that was built without VTK. Writes nothing to the terminal.
std::vector<StlFacet> read_stl(const std::filesystem::path& path);

// Whether this program can read STL files at all: whether it was built with VTK.
bool can_read_stl();

}  // namespace lbm::io
