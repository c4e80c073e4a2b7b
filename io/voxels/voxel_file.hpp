// SPDX-License-Identifier: Apache-2.0

// Finds out where a file of voxels has its labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

// Format of a file as the user gives it; the header of the file has the rest. A raw file has no
// header: it needs `voxels`.
struct VoxelHints {
  std::optional<std::array<std::int64_t, 3>> voxels;
  std::optional<VoxelType> type;        // raw: uint8 if empty
  std::optional<bool> big_endian;       // raw: false if empty
  std::optional<std::uint64_t> offset;  // raw: 0 if empty
  std::string dataset{};                // of an HDF5 file; empty: its only one of labels
};

// The format of a file: HDF5 if `dataset` is given, else by the ending of its name and by its
// header, else raw, by the hints. A folder, or a pattern such as rock_*.tif, names a stack of
// files. Compares the size of the files with that of the image. Throws UsageError, one line that
// begins with the path, if a file cannot be read, if a hint contradicts the header, or if a file
// has another size than its image.
VoxelFormat find_voxel_format(const std::filesystem::path& path, const VoxelHints& hints);

}  // namespace lbm::io
