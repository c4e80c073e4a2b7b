// Reads triangle surfaces from STL files, text or binary.
#pragma once

#include <filesystem>
#include <vector>

#include "io/stl/stl_text.hpp"

namespace lbm::io {

// All triangles of all solids in the file. Throws UsageError, one line that begins with the path
// (and the line in a text file), for a file that is missing, a directory, empty, not STL,
// truncated, too long, without triangles, or with a coordinate that is not finite. A file is binary
// if its size matches the number of triangles it announces, whatever its first word.
std::vector<StlFacet> read_stl(const std::filesystem::path& path);

}  // namespace lbm::io
