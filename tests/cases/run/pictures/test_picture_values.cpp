// SPDX-License-Identifier: Apache-2.0

// Numbers of slices and projections beside sums over all cells, in every order of planes.
#include "cases/run/pictures/picture_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace lbm::cases {
namespace {

constexpr std::array<int, 3> cells{5, 4, 6};
constexpr std::size_t plane = 5 * 4;

// A box of numbers of very different sizes, some cells solid, one column along each axis all solid.
struct Box {
  std::vector<float> values;

  Box() : values(plane * 6) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-1, 1), power(-9, 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = number(random) * std::pow(10.0F, power(random));
      const auto x = i % 5, y = i / 5 % 4, z = i / plane;
      const bool column = (x == 1 && y == 1) || (y == 2 && z == 3) || (x == 4 && z == 0);
      if (column || number(random) > 0.6F) values[i] = std::numeric_limits<float>::quiet_NaN();
    }
  }

  std::vector<float> field(int normal, ProjectionKind kind, const std::vector<int>& order) const {
    PictureValues picture(cells, normal, kind);
    for (const int z : order) {
      EXPECT_FALSE(picture.is_complete());
      const auto at = plane * static_cast<std::size_t>(z);
      picture.add_plane(z, std::span(values).subspan(at, plane), 1);
    }
    EXPECT_TRUE(picture.is_complete());
    return picture.values();
  }
};

std::vector<std::uint32_t> bits_of(const std::vector<float>& field) {
  std::vector<std::uint32_t> bits;
  for (const float value : field) bits.push_back(std::bit_cast<std::uint32_t>(value));
  return bits;
}

class Normals : public ::testing::TestWithParam<int> {};

TEST_P(Normals, AreThoseOfAllCells) {
  const Box box;
  const int normal = GetParam();
  for (const auto kind : {ProjectionKind::mean, ProjectionKind::maximum}) {
    const std::vector<float> field = box.field(normal, kind, {0, 1, 2, 3, 4, 5});
    const auto axes = picture_axes(normal);
    const int width = cells[axes[0]], height = cells[axes[1]];
    ASSERT_EQ(static_cast<int>(field.size()), width * height);
    int empty = 0;
    for (int v = 0; v < height; ++v) {
      for (int u = 0; u < width; ++u) {
        const float shown = field[static_cast<std::size_t>(v * width + u)];
        double sum = 0, most = -1e30;
        int fluid = 0;
        for (int w = 0; w < cells[static_cast<std::size_t>(normal)]; ++w) {
          std::array<int, 3> cell{};
          cell[axes[0]] = u;
          cell[axes[1]] = v;
          cell[static_cast<std::size_t>(normal)] = w;
          const auto at = static_cast<std::size_t>((cell[2] * 4 + cell[1]) * 5 + cell[0]);
          if (std::isnan(box.values[at])) continue;
          sum += box.values[at];
          most = std::max(most, double{box.values[at]});
          ++fluid;
        }
        if (fluid == 0) {
          ++empty;
          EXPECT_TRUE(std::isnan(shown));
          continue;
        }
        const double right = kind == ProjectionKind::mean ? sum / fluid : most;
        EXPECT_NEAR(shown, right, 1e-6 * std::abs(right) + 1e-11) << u << " " << v;
      }
    }
    EXPECT_GE(empty, 1) << "a column of solid cells";
  }
}

TEST_P(Normals, AreTheSameBitsInEveryOrderOfPlanes) {
  const Box box;
  for (const auto kind : {ProjectionKind::mean, ProjectionKind::maximum}) {
    std::vector<int> order{0, 1, 2, 3, 4, 5};
    const auto first = bits_of(box.field(GetParam(), kind, order));
    std::mt19937 random(3);
    for (int turn = 0; turn < 50; ++turn) {
      std::shuffle(order.begin(), order.end(), random);
      ASSERT_EQ(bits_of(box.field(GetParam(), kind, order)), first);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Axes, Normals, ::testing::Values(0, 1, 2),
                         [](const auto& axis) { return std::string(1, "xyz"[axis.param]); });

TEST(PictureValues, ASliceHasTheValuesOfItsCells) {
  PictureValues picture({2, 3, 1}, 2, ProjectionKind::mean);
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  picture.add_plane(0, std::vector<float>{1, 2, nan, 4, 5, 6}, 1);
  const std::vector<float> field = picture.values();
  EXPECT_TRUE(std::isnan(field[2]));
  EXPECT_EQ(field[1], 2);
  EXPECT_EQ(field[5], 6);
}

// Planes that several threads share.
TEST(PictureValues, AreTheSameBitsForEveryNumberOfThreads) {
  constexpr std::array<int, 3> large{400, 300, 3};
  std::vector<float> values(400 * 300 * 3);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> number(-1, 1);
  for (float& value : values) value = number(random);
  for (int normal = 0; normal < 3; ++normal) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const int threads : {1, 2, 5}) {
      PictureValues picture(large, normal, ProjectionKind::mean);
      for (const int z : {2, 0, 1}) {
        picture.add_plane(
            z, std::span(values).subspan(static_cast<std::size_t>(z) * 120'000, 120'000), threads);
      }
      all.push_back(bits_of(picture.values()));
    }
    EXPECT_EQ(all[0], all[1]);
    EXPECT_EQ(all[0], all[2]);
  }
}

// A flow that diverges has a picture all the same.
TEST(PictureValues, NumbersThatAreNoneDoNotCount) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  PictureValues picture({3, 1, 2}, 2, ProjectionKind::mean);
  picture.add_plane(0, std::vector<float>{nan, 1, nan}, 1);
  picture.add_plane(1, std::vector<float>{2, inf, nan}, 1);
  const std::vector<float> field = picture.values();
  EXPECT_EQ(field[0], 2);
  EXPECT_EQ(field[1], 8.5F) << "an infinite number counts as 16";
  EXPECT_TRUE(std::isnan(field[2]));
}

}  // namespace
}  // namespace lbm::cases
