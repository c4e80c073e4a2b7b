// How processes make sure that a path leads them to the same file: a path alone may lead to another
// one on another host.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "io/files/posix_file.hpp"

namespace lbm::io {

// A random number, and where it is in the file while others may open it. May be sent as it is.
struct FileToken {
  std::array<std::uint64_t, 2> value{};
  std::uint64_t offset = 0;
};

// Puts a new token into the file, for every host to see. Returns 0 or an errno.
int write_token(int fd, std::uint64_t offset, FileToken& token);

// Opens the file for reading and writing where it is there and has the token; else the result is
// not valid.
UniqueFd open_with_token(const std::filesystem::path& path, const FileToken& token);

// `path` as processes with other working directories understand it; as it is where this one has
// none.
std::filesystem::path path_for_others(const std::filesystem::path& path);

}  // namespace lbm::io
