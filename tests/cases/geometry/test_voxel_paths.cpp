// Pores of images of voxels, against a search through all voxels at once.
#include "cases/geometry/voxel_paths.hpp"

#include <gtest/gtest.h>

#include <random>

#include "cases/geometry/voxel_shape.hpp"
#include "io/voxels/voxel_file.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::geometry {
namespace {

using lbm::testing::ScratchDirectory;
using Voxels = std::array<std::int64_t, 3>;

// 1: fluid.
io::VoxelImage image_of(const ScratchDirectory& scratch, const Voxels& n,
                        const std::string& labels) {
  lbm::testing::write_text(scratch.path() / "a.raw", labels);
  return io::VoxelImage(io::find_voxel_format(scratch.path() / "a.raw", {n, {}, {}, {}}));
}

// Flood fill from each voxel that no pore has reached.
VoxelPaths brute_force(const Voxels& n, const std::string& labels) {
  VoxelPaths paths;
  std::vector<char> seen(labels.size(), 0);
  const auto at = [&](const Voxels& v) {
    return static_cast<std::size_t>((v[2] * n[1] + v[1]) * n[0] + v[0]);
  };
  for (std::size_t first = 0; first < labels.size(); ++first) {
    if (labels[first] != 1 || seen[first] != 0) continue;
    const auto i = static_cast<std::int64_t>(first);
    std::vector<Voxels> open{{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}};
    seen[first] = 1;
    std::int64_t count = 0;
    std::array<bool, 6> touched{};
    while (!open.empty()) {
      const Voxels v = open.back();
      open.pop_back();
      ++count;
      for (std::size_t a = 0; a < 3; ++a) {
        touched[2 * a] = touched[2 * a] || v[a] == 0;
        touched[2 * a + 1] = touched[2 * a + 1] || v[a] == n[a] - 1;
        for (const int step : {-1, 1}) {
          Voxels next = v;
          next[a] += step;
          if (next[a] < 0 || next[a] >= n[a] || labels[at(next)] != 1 || seen[at(next)] != 0)
            continue;
          seen[at(next)] = 1;
          open.push_back(next);
        }
      }
    }
    paths.fluid += count;
    for (std::size_t a = 0; a < 3; ++a) {
      if (touched[2 * a] && touched[2 * a + 1]) paths.through[a] += count;
    }
  }
  return paths;
}

// Around a share of 0.31 random pores begin to lead through: both ends occur.
TEST(VoxelPaths, AreThoseOfASearchThroughAllVoxels) {
  std::mt19937 random(7);
  int some = 0, none = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const Voxels n{5 + trial % 7, 4 + trial % 5, 3 + trial % 6};
    std::bernoulli_distribution is_fluid(0.2 + 0.006 * trial);
    std::string labels(static_cast<std::size_t>(n[0] * n[1] * n[2]), '\0');
    for (char& label : labels) label = is_fluid(random) ? 1 : 0;
    const ScratchDirectory scratch;
    const VoxelPaths found = find_paths(image_of(scratch, n, labels), {1}, {});
    const VoxelPaths right = brute_force(n, labels);
    EXPECT_EQ(found.fluid, right.fluid);
    EXPECT_EQ(found.through, right.through);
    (right.through[2] > 0 ? some : none) += 1;
  }
  EXPECT_GT(some, 10);
  EXPECT_GT(none, 10);
}

// A pore that goes down again: two parts of it meet in the last plane.
TEST(VoxelPaths, MeetBehindSolids) {
  const ScratchDirectory scratch;
  // x = 0 and x = 2 are fluid in z = 0, 1; in z = 2 the whole row is.
  const std::string labels(
      "\1\0\1"
      "\1\0\1"
      "\1\1\1",
      9);
  const VoxelPaths found = find_paths(image_of(scratch, {3, 1, 3}, labels), {1}, {});
  EXPECT_EQ(found.fluid, 7);
  EXPECT_EQ(found.through, (Voxels{7, 7, 7}));
}

TEST(VoxelShape, HasTheVoxelsThatAreNotFluidInItsPlace) {
  const ScratchDirectory scratch;
  const std::string labels("\1\0\2\3", 4);  // 2 x 1 x 2
  auto image = std::make_shared<const io::VoxelImage>(image_of(scratch, {2, 1, 2}, labels));
  const VoxelShape shape(image, {3, 1}, {4, 5, 6}, {9, 9, 9});
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
  EXPECT_EQ(VoxelShape(image, {3, 1}, {4, 5, 6}, {9, 9, 7}).side({4.5, 5.5, 7.5}), -1);
  EXPECT_EQ(VoxelShape(image, {3, 1}, {-1, 5, 6}, {9, 9, 9}).bounds().low, (Vec{0, 5, 6}));
  // The surface lies at the sides of voxels.
  const auto entry = shape.first_entry({{4.5, 5.5, 6.5}, {5.5, 5.5, 6.5}});
  ASSERT_TRUE(entry.has_value());
  EXPECT_DOUBLE_EQ(*entry, 0.5);
}

}  // namespace
}  // namespace lbm::geometry
