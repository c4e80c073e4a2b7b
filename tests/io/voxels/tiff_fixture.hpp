// SPDX-License-Identifier: Apache-2.0

// TIFF files of the image of voxel_fixture.hpp.
#pragma once

#include <string>
#include <vector>

#include "tests/io/voxels/tiff_bytes.hpp"
#include "tests/io/voxels/voxel_fixture.hpp"

namespace lbm::io {

using test::TiffBytes;

class TiffImages : public VoxelImages {
 protected:
  // Tags of a page of 4 x 3 labels of two bytes.
  static TiffBytes::Tags tags(std::vector<std::uint64_t> strips, std::uint64_t rows = 3) {
    return {{256, {4}}, {257, {3}}, {258, {16}}, {259, {1}}, {273, strips}, {278, {rows}}};
  }
  // Plane z as a page of one strip.
  static void add_plane(TiffBytes& file, bool big_endian, std::int64_t z) {
    const std::uint64_t at = file.add_bytes(two_bytes(big_endian, 12 * z, 12));
    file.add_page(tags({at}));
  }
  static std::string one_plane(bool big_endian, std::int64_t z) {
    TiffBytes file(big_endian);
    add_plane(file, big_endian, z);
    return file.bytes();
  }
  // The known labels, each plane in one piece packed in this way.
  static std::string packed(std::uint64_t code, const std::vector<std::string>& planes,
                            std::uint64_t predictor = 1) {
    TiffBytes file;
    for (const std::string& plane : planes) {
      auto all = tags({file.add_bytes(plane)});
      all[259] = {code};
      all[279] = {plane.size()};
      all[317] = {predictor};
      file.add_page(all);
    }
    return file.bytes();
  }
};

}  // namespace lbm::io
