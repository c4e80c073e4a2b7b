// SPDX-License-Identifier: Apache-2.0

// What the description of a TIFF file says about its planes.
#pragma once

#include <cstdint>

#include "io/voxels/tiff_page.hpp"

namespace lbm::io {

struct TiffDescription {
  std::int64_t planes = 0;     // of the whole image; 0: not told
  bool one_directory = false;  // ImageJ: the planes follow each other behind one page
  VoxelEdges edges{};
};

// Of the first page of a file, as written by ImageJ, in OME-XML, or by tifffile. Throws UsageError,
// one line that begins with the path, for an image of more than three axes: channels and times are
// no planes.
TiffDescription tiff_description(const TiffFile& file, const TiffPage& page);

}  // namespace lbm::io
