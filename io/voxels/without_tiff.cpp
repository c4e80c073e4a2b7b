// SPDX-License-Identifier: Apache-2.0

// Instead of the reader of TIFF files, in a program built without libtiff.
#include "io/files/input_file.hpp"
#include "io/voxels/voxel_image.hpp"

namespace lbm::io {

VoxelFormat tiff_format(const std::filesystem::path& name,
                        const std::vector<std::filesystem::path>&) {
  refuse_file(name,
              "this program was built without libtiff, which reads it: convert it (python -m "
              "lbm.voxels FROM TO.npy), or install libtiff-dev and build again");
}

bool reads_tiff() { return false; }

}  // namespace lbm::io
