// SPDX-License-Identifier: Apache-2.0

// Images of voxels made of others, against whole arrays.
#include "cases/geometry/voxels/voxel_images.hpp"

#include <gtest/gtest.h>

#include <map>

#include "io/voxels/voxel_image.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/geometry/voxels/voxel_arrays.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::geometry {
namespace {

using test::array_of, test::expect_image, test::image_of, test::random_array, test::VoxelArray;

TEST(VoxelViews, Refine) {
  const VoxelArray a = random_array({5, 3, 4}, 0.5, 1);
  for (const std::int64_t f : {1, 2, 3}) {
    expect_image(*refined(image_of(a), f), array_of({5 * f, 3 * f, 4 * f}, [&](const Voxels& v) {
      return a[{v[0] / f, v[1] / f, v[2] / f}];
    }));
  }
}

TEST(VoxelViews, CoarsenByTheMajorityWhereATieIsSolid) {
  for (const std::int64_t f : {1, 2, 3}) {
    const VoxelArray a = random_array({6 * f, 5 * f, 4 * f}, 0.5, 2);
    int ties = 0;
    const VoxelArray right = array_of({6, 5, 4}, [&](const Voxels& v) {
      std::int64_t solid = 0;
      test::for_each_voxel({f, f, f}, [&](const Voxels& d) {
        solid += a[{v[0] * f + d[0], v[1] * f + d[1], v[2] * f + d[2]}];
      });
      if (2 * solid == f * f * f) ++ties;
      return static_cast<std::uint8_t>(2 * solid >= f * f * f ? 1 : 0);
    });
    expect_image(*coarsened(image_of(a), f), right);
    EXPECT_EQ(ties > 0, f == 2);
  }
}

TEST(VoxelViews, MirrorAndRepeat) {
  const Voxels n{5, 3, 4};
  const VoxelArray a = random_array(n, 0.5, 3);
  for (unsigned axes = 0; axes < 8; ++axes) {
    const std::array<bool, 3> mirror{(axes & 1U) != 0, (axes & 2U) != 0, (axes & 4U) != 0};
    Voxels size = n;
    for (std::size_t i = 0; i < 3; ++i) size[i] *= mirror[i] ? 2 : 1;
    expect_image(*mirrored(image_of(a), mirror), array_of(size, [&](Voxels v) {
      for (std::size_t i = 0; i < 3; ++i) v[i] = v[i] < n[i] ? v[i] : 2 * n[i] - 1 - v[i];
      return a[v];
    }));
  }
  expect_image(*repeated(image_of(a), {2, 1, 3}), array_of({10, 3, 12}, [&](const Voxels& v) {
    return a[{v[0] % 5, v[1] % 3, v[2] % 4}];
  }));
}

// Sizes on both sides of 8 and 64 voxels, the bytes and blocks of packed images.
TEST(VoxelViews, TurnToAllAxes) {
  for (const Voxels& n : {Voxels{1, 1, 1}, {7, 5, 131}, {70, 9, 3}, {4, 130, 65}, {64, 64, 64}}) {
    const VoxelArray a = random_array(n, 0.6, 4);
    std::array<int, 3> axes{0, 1, 2};
    do {
      const Voxels size{n[axes[0]], n[axes[1]], n[axes[2]]};
      SCOPED_TRACE(::testing::Message() << axes[0] << axes[1] << axes[2] << " of " << n[0] << " x "
                                        << n[1] << " x " << n[2]);
      expect_image(*turned(image_of(a), axes, {}), array_of(size, [&](const Voxels& v) {
        Voxels from{};
        for (std::size_t i = 0; i < 3; ++i) from[axes[i]] = v[i];
        return a[from];
      }));
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
}

TEST(VoxelViews, TurnsEndAtATimeLimit) {
  const auto image = image_of(VoxelArray({3, 3, 3}));
  const TimeLimit over(std::chrono::seconds(-1));
  EXPECT_THROW(turned(image, {2, 1, 0}, over), TimeLimitReached);
  EXPECT_EQ(turned(image, {0, 1, 2}, over), image);
}

TEST(VoxelViews, ImagesThatNoMemoryHoldsAreRefused) {
  EXPECT_THROW(PackedVoxels({1 << 20, 1 << 20, 1 << 20}), ResourceError);
}

TEST(PackedVoxels, TakePlanes) {
  const VoxelArray a = random_array({13, 6, 5}, 0.5, 5);
  PackedVoxels image(a.n);
  for (std::int64_t z = 0; z < 5; ++z) {
    image.set_plane(z, std::span(a.solid).subspan(static_cast<std::size_t>(z) * 13 * 6, 13 * 6));
  }
  expect_image(image, a);
}

// Labels beyond a byte, negative ones, and a part that touches no face.
TEST(LabelledVoxels, AreSolidWhereTheLabelIsNotOneOfTheFluid) {
  const Voxels n{6, 5, 4};
  std::mt19937 random(6);
  const std::array<std::int16_t, 5> labels{0, -3, 255, 300, 7};
  std::string bytes;
  std::vector<std::int64_t> all;
  test::for_each_voxel(n, [&](const Voxels&) {
    const std::int16_t label = labels[random() % labels.size()];
    all.push_back(label);
    const auto bits = static_cast<std::uint16_t>(label);
    bytes += static_cast<char>(bits & 255U);
    bytes += static_cast<char>(bits >> 8U);
  });
  const lbm::testing::ScratchDirectory scratch;
  lbm::testing::write_text(scratch.path() / "a.raw", bytes);
  const auto image = std::make_shared<const io::VoxelImage>(
      io::find_voxel_format(scratch.path() / "a.raw", {n, io::VoxelType::int16, {}, {}}));
  const auto label_at = [&](const Voxels& v) {
    return all[static_cast<std::size_t>((v[2] * n[1] + v[1]) * n[0] + v[0])];
  };
  for (const VoxelRange& part : {VoxelRange{{}, n}, VoxelRange{{1, 2, 1}, {5, 4, 3}}}) {
    std::map<std::int64_t, std::int64_t> counts;
    const VoxelArray right = array_of(part.size(), [&](Voxels v) {
      for (std::size_t i = 0; i < 3; ++i) v[i] += part.first[i];
      const std::int64_t label = label_at(v);
      ++counts[label];
      return static_cast<std::uint8_t>(label == 300 || label == -3 || label == 0 ? 0 : 1);
    });
    expect_image(LabelledVoxels(image, {300, 0, -3}, part), right);
    EXPECT_EQ(image->count(part, {}), counts);
  }
}

}  // namespace
}  // namespace lbm::geometry
