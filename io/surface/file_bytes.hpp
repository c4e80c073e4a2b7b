// SPDX-License-Identifier: Apache-2.0

// Files of triangles that gzip has packed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "solver/core/time_limit.hpp"

namespace lbm::io {

// With a time limit, larger files are not read.
inline constexpr std::uint64_t most_in_time = std::uint64_t{32} << 20;

bool is_gzip(const std::string& first_bytes);

// Unpacks a gzip file of `size` bytes. Refuses a damaged one, and one that unpacks to more than 64
// times its size and 1 MiB: UsageError, one line that begins with the path. Throws TimeLimitReached
// at a limit, where it is set also above 32 MiB.
std::string unpacked(const std::filesystem::path& path, std::uint64_t size, const TimeLimit& limit);

}  // namespace lbm::io
