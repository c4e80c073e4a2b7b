// Small text files that are either there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

namespace lbm::io {

// Writes `text` to `<path>.partial`, flushes it to the disk and renames it to `path`, so a reader
// (or a crash) sees the old file or the new one. Throws ResourceError; then the old file is
// untouched and no partial file is left.
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace lbm::io
