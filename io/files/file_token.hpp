// SPDX-License-Identifier: Apache-2.0

// Proves that two processes have opened the same file: on another host, the same path may name
// another file.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "io/files/posix_file.hpp"

namespace lbm::io {

// A random number, stored in the file while others may open it. Trivially copyable, so that it can
// be sent.
struct FileToken {
  std::array<std::uint64_t, 2> value{};
  std::uint64_t offset = 0;
};

// Writes a new token into the file, visible to every host. Returns 0 or an errno.
int write_token(int fd, std::uint64_t offset, FileToken& token);

// Opens the file for reading and writing if it exists and has the token; otherwise the result is
// invalid.
UniqueFd open_with_token(const std::filesystem::path& path, const FileToken& token);

// `path` made absolute for processes with other working directories; unchanged if the working
// directory is unknown.
std::filesystem::path path_for_others(const std::filesystem::path& path);

}  // namespace lbm::io
