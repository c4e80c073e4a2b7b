// SPDX-License-Identifier: Apache-2.0

// Headers of files of voxels.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>

#include "io/text/header_lines.hpp"
#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

// Each function parses a header. It throws UsageError, one line that begins with the path, for a
// header that is damaged, for compressed labels, for numbers that are no labels, and for images of
// other than three axes.
// text: the first bytes of the file, at least most_of_header unless it is shorter.
constexpr std::size_t most_of_header = HeaderLines::most_bytes;

// An offset: the labels are the last bytes of their file.
constexpr std::uint64_t at_end_of_file = std::numeric_limits<std::uint64_t>::max();

// NumPy's format of one array, versions 1 to 3. The last axis is x where it runs fastest
// (fortran_order: False), as in arrays [z, y, x].
VoxelFormat npy_header(const std::filesystem::path& path, std::string_view text);

// MetaImage: .mhd names the file of the labels, .mha has them behind the header.
VoxelFormat meta_image_header(const std::filesystem::path& path, std::string_view text);

// Nearly raw raster data: .nhdr names the file of the labels, .nrrd has them behind the header.
VoxelFormat nrrd_header(const std::filesystem::path& path, std::string_view text);

}  // namespace lbm::io
