// SPDX-License-Identifier: Apache-2.0

// Whole images of voxels in memory, to compare with.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "cases/geometry/voxels/voxel_images.hpp"

namespace lbm::geometry::test {

// 1: solid, 0: fluid. [z][y][x]
struct VoxelArray {
  Voxels n{};
  std::vector<std::uint8_t> solid;

  explicit VoxelArray(const Voxels& size)
      : n(size), solid(static_cast<std::size_t>(size[0] * size[1] * size[2]), 0) {}
  std::size_t at(const Voxels& v) const {
    return static_cast<std::size_t>((v[2] * n[1] + v[1]) * n[0] + v[0]);
  }
  std::uint8_t& operator[](const Voxels& v) { return solid[at(v)]; }
  std::uint8_t operator[](const Voxels& v) const { return solid[at(v)]; }
};

template <class Action>
void for_each_voxel(const Voxels& n, const Action& action) {
  for (std::int64_t z = 0; z < n[2]; ++z) {
    for (std::int64_t y = 0; y < n[1]; ++y) {
      for (std::int64_t x = 0; x < n[0]; ++x) action(Voxels{x, y, z});
    }
  }
}

// of(v): the value of the voxel at v.
template <class Of>
VoxelArray array_of(const Voxels& n, const Of& of) {
  VoxelArray array(n);
  for_each_voxel(n, [&](const Voxels& v) { array[v] = static_cast<std::uint8_t>(of(v)); });
  return array;
}

inline VoxelArray random_array(const Voxels& n, double fluid, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution is_fluid(fluid);
  return array_of(n, [&](const Voxels&) { return is_fluid(random) ? 0 : 1; });
}

// The array as an image.
class ArrayVoxels final : public VoxelPlanes {
 public:
  explicit ArrayVoxels(VoxelArray array) : VoxelPlanes(array.n), array_(std::move(array)) {}
  void plane(std::int64_t z, std::span<std::uint8_t> solid) const override {
    ASSERT_EQ(solid.size(), plane_size());
    const auto begin = array_.solid.begin() + z * static_cast<std::int64_t>(plane_size());
    std::copy_n(begin, plane_size(), solid.begin());
  }
  bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const override {
    return array_[{x, y, z}] != 0;
  }

 private:
  VoxelArray array_;
};

inline VoxelPlanesPtr image_of(const VoxelArray& array) {
  return std::make_shared<ArrayVoxels>(array);
}

// By its planes.
inline VoxelArray array_of(const VoxelPlanes& image) {
  VoxelArray array(image.size());
  for (std::int64_t z = 0; z < array.n[2]; ++z) {
    std::vector<std::uint8_t> plane(image.plane_size(), 7);
    image.plane(z, plane);
    std::copy(plane.begin(), plane.end(),
              array.solid.begin() + z * static_cast<std::int64_t>(plane.size()));
  }
  return array;
}

// Planes and single voxels.
inline void expect_image(const VoxelPlanes& image, const VoxelArray& right) {
  ASSERT_EQ(image.size(), right.n);
  EXPECT_EQ(array_of(image).solid, right.solid);
  std::int64_t wrong = 0;
  for_each_voxel(right.n, [&](const Voxels& v) {
    if (image.is_solid(v[0], v[1], v[2]) != (right[v] != 0)) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace lbm::geometry::test
