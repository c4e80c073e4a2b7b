// SPDX-License-Identifier: Apache-2.0

// Stacks of planes in TIFF files, read by libtiff.
#pragma once

#include <filesystem>
#include <vector>

#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

// The image whose planes are the pages of these files, in their order; previews and masks do not
// count. The description of the first page, as written by ImageJ, in OME-XML, or by tifffile, tells
// the size of a voxel and how many planes there are. A stack of ImageJ beyond 4 GB has one page
// only, and its planes follow each other behind that page. name: of the image, in messages about
// all files. Throws UsageError, one line that begins with a path, for files that cannot be read,
// images of more than three axes (such as slices and channels), pages of different sizes or types,
// pages without labels, and where the program was built without libtiff.
VoxelFormat tiff_format(const std::filesystem::path& name,
                        const std::vector<std::filesystem::path>& files);

// True if the program was built with libtiff.
bool reads_tiff();

}  // namespace lbm::io
