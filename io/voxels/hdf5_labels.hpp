// SPDX-License-Identifier: Apache-2.0

// Labels in datasets of HDF5 files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

// The dataset of that path, such as /labels; empty: the only one of labels in the file. It has
// three axes [z, y, x], or a fourth one of length 1 behind them, and whole numbers of 1, 2 or 4
// bytes, booleans included. In chunks and compressed it is read some planes at a time: at most 128
// MiB of them, and one chunk, are in memory. file_bytes: of the file, which is untrusted: links to
// other files are refused, and sizes compared. Throws UsageError, one line that begins with the
// path, and lists the datasets of the file where the path is not that of labels.
VoxelFormat hdf5_format(const std::filesystem::path& path, const std::string& dataset,
                        std::uint64_t file_bytes);

}  // namespace lbm::io
