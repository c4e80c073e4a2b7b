// SPDX-License-Identifier: Apache-2.0

// Files that the user names: small texts, and files of data.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Files of data. All throw UsageError, one line that begins with the path.

[[noreturn]] void refuse_file(const std::filesystem::path& path, std::string_view what);
// error: an errno, or -1 where a file ends before the bytes that it had when it was opened.
[[noreturn]] void cannot_read(const std::filesystem::path& path, int error);

// The bytes of a regular file that has some. wanted: what to give instead of something else, such
// as "the path of an STL file".
std::uint64_t size_of_file(const std::filesystem::path& path, std::string_view wanted);

// The first bytes of a file that has at least as many.
std::string first_bytes(const std::filesystem::path& path, std::uint64_t count);

}  // namespace lbm::io
