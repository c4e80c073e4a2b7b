// SPDX-License-Identifier: Apache-2.0

// Pores of images of voxels, against a search through all voxels at once.

#include <gtest/gtest.h>
#include <omp.h>

#include "cases/geometry/voxels/voxel_images.hpp"
#include "tests/cases/geometry/voxels/voxel_arrays.hpp"

namespace lbm::geometry {
namespace {

using test::expect_image, test::image_of, test::random_array, test::VoxelArray;

struct Found {
  VoxelPaths paths;
  // For each axis: the array without the pores that do not lead through.
  std::array<VoxelArray, 3> kept;
  std::array<VoxelPaths, 3> kept_paths;
};

// Flood fill from each voxel that no pore has reached.
Found brute_force(const VoxelArray& a) {
  Found found{{}, {a, a, a}, {}};
  VoxelArray seen = a;
  test::for_each_voxel(a.n, [&](const Voxels& first) {
    if (seen[first] != 0) return;
    std::vector<Voxels> pore{first};
    seen[first] = 1;
    std::array<bool, 6> touched{};
    for (std::size_t i = 0; i < pore.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t at = pore[i][axis], last = a.n[axis] - 1;
        touched[2 * axis] = touched[2 * axis] || at == 0;
        touched[2 * axis + 1] = touched[2 * axis + 1] || at == last;
        for (const int step : {-1, 1}) {
          Voxels next = pore[i];
          next[axis] += step;
          if (next[axis] < 0 || next[axis] > last || seen[next] != 0) continue;
          seen[next] = 1;
          pore.push_back(next);
        }
      }
    }
    const auto count = static_cast<std::int64_t>(pore.size());
    const auto through = [&](std::size_t axis) {
      return touched[2 * axis] && touched[2 * axis + 1];
    };
    const auto add_to = [&](VoxelPaths& paths) {
      paths.fluid += count;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (through(axis)) paths.through[axis] += count;
      }
    };
    add_to(found.paths);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (through(axis)) {
        add_to(found.kept_paths[axis]);
      } else {
        for (const Voxels& v : pore) found.kept[axis][v] = 1;
      }
    }
  });
  return found;
}

void expect_paths(const VoxelPaths& found, const VoxelPaths& right) {
  EXPECT_EQ(found.fluid, right.fluid);
  EXPECT_EQ(found.through, right.through);
}

// Around a share of 0.31 random pores begin to lead through: both ends occur.
// Each thread takes some planes; more threads than planes are asked for, too.
TEST(VoxelPaths, AreThoseOfASearchThroughAllVoxels) {
  const int threads = omp_get_max_threads();
  int some = 0, none = 0, closed = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Voxels n{5 + trial % 7, 4 + trial % 5, 3 + trial % 6};
    const VoxelArray a = random_array(n, 0.2 + 0.006 * trial, static_cast<unsigned>(trial));
    const Found right = brute_force(a);
    const VoxelPlanesPtr image = image_of(a);
    omp_set_num_threads(1 + trial % 9);
    expect_paths(find_paths(*image, {}), right.paths);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const ConnectedVoxels found = connected(*image, axis, {});
      expect_image(*found.image, right.kept[axis]);
      expect_paths(found.before, right.paths);
      expect_paths(found.after, right.kept_paths[axis]);
      if (found.after.fluid > 0 && found.after.fluid < found.before.fluid) ++closed;
    }
    omp_set_num_threads(threads);
    (right.paths.through[2] > 0 ? some : none) += 1;
  }
  EXPECT_GT(some, 10);
  EXPECT_GT(none, 10);
  EXPECT_GT(closed, 30);
}

// A pore that goes down again: two parts of it meet in the last plane.
TEST(VoxelPaths, MeetBehindSolids) {
  VoxelArray a({3, 1, 3});
  // x = 0 and x = 2 are fluid in z = 0, 1; in z = 2 the whole row is.
  a[{1, 0, 0}] = a[{1, 0, 1}] = 1;
  const VoxelPlanesPtr image = image_of(a);
  const VoxelPaths found = find_paths(*image, {});
  EXPECT_EQ(found.fluid, 7);
  EXPECT_EQ(found.through, (Voxels{7, 7, 7}));
  expect_image(*connected(*image, 2, {}).image, a);
}

TEST(VoxelPaths, EndAtATimeLimit) {
  const auto image = image_of(VoxelArray({3, 3, 3}));
  const TimeLimit over(std::chrono::seconds(-1));
  EXPECT_THROW(find_paths(*image, over), TimeLimitReached);
  EXPECT_THROW(connected(*image, 2, over), TimeLimitReached);
}

TEST(VoxelShape, HasTheSolidVoxelsInTheirPlace) {
  VoxelArray a({2, 1, 2});
  a[{1, 0, 0}] = a[{0, 0, 1}] = 1;
  const VoxelPlanesPtr image = image_of(a);
  const VoxelShape shape(image, {4, 5, 6}, {9, 9, 9});
  EXPECT_EQ(shape.side({4.5, 5.5, 6.5}), -1);
  EXPECT_EQ(shape.side({5.5, 5.5, 6.5}), 1);
  EXPECT_EQ(shape.side({4.5, 5.5, 7.5}), 1);
  EXPECT_EQ(shape.side({5.5, 5.5, 7.5}), -1);
  EXPECT_EQ(shape.side({6.5, 5.5, 6.5}), -1) << "outside the image nothing is solid";
  EXPECT_EQ(shape.bounds().low, (Vec{4, 5, 6}));
  EXPECT_EQ(shape.bounds().high, (Vec{6, 6, 8}));
  std::vector<std::int8_t> sides(4 * 3);
  shape.sides({{3.5, 4.5, 6.5}, 4, 3}, sides);
  EXPECT_EQ(sides, (std::vector<std::int8_t>{-1, -1, -1, -1, -1, -1, 1, -1, -1, -1, -1, -1}));
  // The second plane lies outside this box, the first column outside that one.
  EXPECT_EQ(VoxelShape(image, {4, 5, 6}, {9, 9, 7}).side({4.5, 5.5, 7.5}), -1);
  EXPECT_EQ(VoxelShape(image, {-1, 5, 6}, {9, 9, 9}).bounds().low, (Vec{0, 5, 6}));
  // The surface lies at the sides of voxels.
  const auto entry = shape.first_entry({{4.5, 5.5, 6.5}, {5.5, 5.5, 6.5}});
  ASSERT_TRUE(entry.has_value());
  EXPECT_DOUBLE_EQ(*entry, 0.5);
}

}  // namespace
}  // namespace lbm::geometry
