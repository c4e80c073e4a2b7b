// Small text files that the user names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace lbm::io {

// The text of a file: at most `most` bytes, and one more of a longer file, /dev/zero included. Does
// not wait for anybody to write: a FIFO in a directory is refused. Pipes that a shell has opened,
// such as <(command), are read to their end. name, kind: for messages, such as "case file".
// Throws UsageError, one line.
std::string read_input(const std::filesystem::path& path, std::string_view name,
                       std::string_view kind, std::size_t most);

}  // namespace lbm::io
