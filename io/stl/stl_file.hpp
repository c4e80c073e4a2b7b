// What an STL file is, checked before a reader that forgives too much gets it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lbm::io {

struct StlFile {
  bool binary = false;
  std::int64_t triangles = 0;
};

// Throws UsageError, one line that begins with the path (and the line of the file, where it is
// text), for a file that is missing, a directory, empty, not STL, cut short, too long, without
// triangles, or, as text, with a value that is not finite. A file is binary when its size is that
// of the triangles it announces, whatever its first word.
StlFile check_stl_file(const std::filesystem::path& path);

}  // namespace lbm::io
