// SPDX-License-Identifier: Apache-2.0

// Headers of .npy files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

constexpr std::size_t most_of_header = 65536;  // bytes

// NumPy's format of one array, versions 1 to 3. The last axis is x where it runs fastest
// (fortran_order: False), as in arrays [z, y, x]. text: the first bytes of the file, at least
// most_of_header unless it is shorter. Throws UsageError, one line that begins with the path, for a
// header that is damaged, for numbers that are no labels, and for other than three axes.
VoxelFormat npy_header(const std::filesystem::path& path, std::string_view text);

}  // namespace lbm::io
