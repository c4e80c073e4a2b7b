// SPDX-License-Identifier: Apache-2.0

// Planes and voxel size of an image, from the description in its TIFF file.
#pragma once

#include <cstdint>

#include "io/voxels/tiff_file.hpp"

namespace lbm::io {

struct TiffDescription {
  std::int64_t planes = 0;     // of the whole image; 0: not told
  bool one_directory = false;  // ImageJ: the planes follow each other behind one page
  VoxelEdges edges{};
};

// Parses the description of the first page of a file, as written by ImageJ, in OME-XML, or by
// tifffile; default values for other texts. Throws UsageError, one line that begins with the path,
// for an image of more than three axes (such as slices and channels), or a wrong description.
TiffDescription tiff_description(const TiffFile& file, const TiffPage& page);

}  // namespace lbm::io
