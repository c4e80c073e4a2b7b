// SPDX-License-Identifier: Apache-2.0

// Stacks of planes in TIFF files, read by libtiff.
#pragma once

#include <filesystem>
#include <vector>

#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

// The image whose planes are the pages of these files, in their order; previews and masks do not
// count. A stack of ImageJ beyond 4 GB has one page only, which says how many planes follow. name:
// of the image, in messages about all files. Throws UsageError, one line that begins with a path,
// for files that cannot be read, pages of different sizes or types, and pages without labels, and
// where the program was built without libtiff.
VoxelFormat tiff_format(const std::filesystem::path& name,
                        const std::vector<std::filesystem::path>& files);

// True if the program was built with libtiff.
bool reads_tiff();

}  // namespace lbm::io
