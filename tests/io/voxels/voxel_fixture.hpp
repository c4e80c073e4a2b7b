// SPDX-License-Identifier: Apache-2.0

// An image of 4 x 3 x 2 voxels with 24 labels, for files of all formats.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/voxels/voxel_image.hpp"
#include "solver/core/error.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::io {

using Labels = std::vector<std::int64_t>;
using Voxels = std::array<std::int64_t, 3>;

constexpr Voxels voxels{4, 3, 2};  // x fastest

// The label of voxel i, different for each.
inline std::int64_t label_of(std::int64_t i) { return 1000 + 7 * i; }

// Labels of two bytes of `count` voxels from voxel `first` on.
inline std::string two_bytes(bool big_endian, std::int64_t first = 0, std::int64_t count = 24) {
  std::string bytes;
  for (std::int64_t i = first; i < first + count; ++i) {
    const char low = static_cast<char>(label_of(i) & 0xff),
               high = static_cast<char>(label_of(i) >> 8);
    bytes += big_endian ? high : low;
    bytes += big_endian ? low : high;
  }
  return bytes;
}

class VoxelImages : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return scratch_.path() / name; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    lbm::testing::write_text(path(name), text);
    return path(name);
  }
  // Labels of all planes.
  static Labels read(const VoxelImage& image) {
    const auto& n = image.format().voxels;
    Labels all;
    for (std::int64_t z = 0; z < n[2]; ++z) {
      Labels plane(static_cast<std::size_t>(n[0] * n[1]));
      image.plane(z, plane);
      all.insert(all.end(), plane.begin(), plane.end());
    }
    return all;
  }
  static void expect_known_labels(const std::filesystem::path& path, const VoxelHints& hints = {}) {
    SCOPED_TRACE(path.string());
    const VoxelImage image(find_voxel_format(path, hints));
    EXPECT_EQ(image.format().voxels, voxels);
    const Labels all = read(image);
    ASSERT_EQ(all.size(), 24U);
    for (std::int64_t i = 0; i < 24; ++i) {
      EXPECT_EQ(all[static_cast<std::size_t>(i)], label_of(i)) << i;
      EXPECT_EQ(image.label(i % 4, i / 4 % 3, i / 12), label_of(i)) << i;
    }
    EXPECT_EQ(image.count({}).size(), 24U);
  }
  static void expect_refused(const std::filesystem::path& path, const VoxelHints& hints,
                             const std::string& part) {
    try {
      VoxelImage(find_voxel_format(path, hints)).count({});
      ADD_FAILURE() << path << " was accepted, expected: " << part;
    } catch (const UsageError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find(part), std::string::npos) << text;
      EXPECT_EQ(text.rfind(path.parent_path().string(), 0), 0U) << text;
      EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    }
  }
  lbm::testing::ScratchDirectory scratch_;
};

}  // namespace lbm::io
