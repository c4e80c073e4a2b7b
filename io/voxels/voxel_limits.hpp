// SPDX-License-Identifier: Apache-2.0

// The largest images that are read.
#pragma once

#include <cstdint>
#include <filesystem>

namespace lbm::io {

constexpr std::int64_t most_voxels = std::int64_t{1} << 20;    // along an axis
constexpr std::int64_t most_in_plane = std::int64_t{1} << 28;  // a plane is held in memory

// Throws UsageError, one line that begins with the path, for a plane beyond these limits.
void check_plane(const std::filesystem::path& path, std::uint64_t width, std::uint64_t height);

}  // namespace lbm::io
