// The bytes of a file of triangles, unpacked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "solver/core/time_limit.hpp"

namespace lbm::io {

// All functions throw UsageError, one line that begins with the path.

// Refuses what is no regular file, and an empty one.
std::uint64_t size_of_file(const std::filesystem::path& path);

// The first bytes of a file that has at least as many.
std::string first_bytes(const std::filesystem::path& path, std::uint64_t count);

bool is_gzip(const std::string& first_bytes);

// Unpacks a gzip file of `size` bytes. Refuses a damaged one, and one that unpacks to more than 64
// times its size and 1 MiB. Throws TimeLimitReached at a limit, where it is set also above 32 MiB.
std::string unpacked(const std::filesystem::path& path, std::uint64_t size, const TimeLimit& limit);

}  // namespace lbm::io
