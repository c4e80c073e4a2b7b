// Checks an STL file before VTK's reader, which accepts damaged ones.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lbm::io {

struct StlFile {
  bool binary = false;
  std::int64_t triangles = 0;
};

// Throws UsageError, one line that begins with the path (and the line in a text file), for a file
// that is missing, a directory, empty, not STL, truncated, too long, without triangles, or, as
// text, with a non-finite value. A file is binary if its size matches the number of triangles it
// announces, whatever its first word.
StlFile check_stl_file(const std::filesystem::path& path);

}  // namespace lbm::io
