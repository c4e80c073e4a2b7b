// SPDX-License-Identifier: Apache-2.0

// Finds the dataset of labels in an HDF5 file. Internal to the .cpp files of io: this header needs
// HDF5. All functions throw Hdf5Failure, and Hdf5Misfit where the file is well but not as wanted.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/hdf5_dataset.hpp"
#include "io/hdf5/hdf5_handle.hpp"
#include "io/voxels/voxel_format.hpp"

namespace lbm::io {

struct LabelType {
  VoxelType type = VoxelType::uint8;
  bool big_endian = false;
  bool plain = false;  // all bits are those of the number, which is no word
};

struct LabelDataset {
  Hdf5Handle handle;
  std::string name;              // of printable characters, for messages
  std::vector<hsize_t> shape{};  // [z, y, x] or [z, y, x, 1]
  LabelType type{};
};

// The dataset of this path; empty: the only one of labels. Links to other files are not followed.
// The message lists what the file has.
LabelDataset find_labels(const Hdf5Handle& file, const std::string& path);

}  // namespace lbm::io
