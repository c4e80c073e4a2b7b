// Small text files, replaced atomically.
#pragma once

#include <filesystem>
#include <string_view>

namespace lbm::io {

// Writes `text` to `<path>.partial`, flushes it to the disk and renames it to `path`: a reader (or
// a crash) sees the old or the new file. Throws ResourceError and then keeps the old file and no
// partial one.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace lbm::io
