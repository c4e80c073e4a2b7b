// SPDX-License-Identifier: Apache-2.0

// Points of isosurfaces beside spheres and planes that are known.
#include "cases/run/pictures/picture_data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numbers>

#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

constexpr std::array<int, 3> cells{20, 18, 22};

float centre(int cell) { return 0.5F + static_cast<float>(cell); }

using Number = std::function<float(const std::array<float, 3>&)>;

// The points of number = 0, coloured by x; solid cells have x < solid_to.
std::vector<SurfaceCube> points_of(const Number& number, float solid_to, bool backwards = false) {
  const lbm::testing::ScratchDirectory scratch;
  const auto path = scratch.path() / "a.picture";
  SurfaceFile file(cells, 0, true, path, "{}\n");
  for (int turn = 0; turn < cells[2]; ++turn) {
    const int z = backwards ? cells[2] - 1 - turn : (turn + 7) % cells[2];
    std::vector<float> numbers, colours, solid;
    for (int y = 0; y < cells[1]; ++y) {
      for (int x = 0; x < cells[0]; ++x) {
        const std::array<float, 3> at{centre(x), centre(y), centre(z)};
        numbers.push_back(number(at));
        colours.push_back(at[0]);
        solid.push_back(at[0] < solid_to ? 1 : 0);
      }
    }
    EXPECT_FALSE(file.is_complete());
    file.add_plane(z, {numbers, colours, solid}, 2);
  }
  EXPECT_TRUE(file.is_complete());
  EXPECT_TRUE(file.any_above());
  file.commit();
  const std::string text = lbm::testing::read_text(path);
  EXPECT_EQ(text.substr(0, 3), "{}\n");
  std::vector<SurfaceCube> points((text.size() - 3) / sizeof(SurfaceCube));
  std::memcpy(points.data(), text.data() + 3, text.size() - 3);
  return points;
}

float ball(const std::array<float, 3>& at) {
  return 7 - std::hypot(at[0] - 10, at[1] - 9, at[2] - 11);
}

TEST(SurfaceFile, OfDistancesIsASphere) {
  const auto points = points_of(ball, 0);
  // About one cube for each unit of area, and a half.
  EXPECT_NEAR(static_cast<double>(points.size()), 1.5 * 4 * std::numbers::pi * 49, 200);
  int edges = 0;
  for (const SurfaceCube& point : points) {
    EXPECT_NEAR(ball(point.at), 0, 0.12);
    EXPECT_NEAR(point.colour, point.at[0], 0.01);
    for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(point.at[a], point.cube[a] + 1, 0.501);
    for (int axis = 0; axis < 3; ++axis) edges += static_cast<int>(point.edges) >> axis & 1;
  }
  // Euler: a closed surface of faces with four points has two faces less than points.
  EXPECT_EQ(edges, static_cast<int>(points.size()) - 2);
  EXPECT_EQ(points_of(ball, 0, true).size(), points.size());
}

// The isosurface and the body reach to each other and to the sides of the box.
TEST(SurfaceFile, BodiesAreTheBorderOfSolidCells) {
  const auto points = points_of([](const auto& at) { return at[2] - 11.2F; }, 6);
  int flow = 0, body = 0;
  for (const SurfaceCube& point : points) {
    const bool of_body = std::isnan(point.colour);
    (of_body ? body : flow) += 1;
    EXPECT_NEAR(point.at[of_body ? 0 : 2], of_body ? 6 : 11.2, 1e-4);
    EXPECT_GE(point.at[0], 6);
  }
  EXPECT_EQ(flow, (20 - 6 + 1) * (18 + 1));
  EXPECT_EQ(body, (18 + 1) * (22 + 1));
}

// Where a number is missing, no surface passes.
TEST(SurfaceFile, LeavesOutCellsWithoutANumber) {
  const auto none = [](const auto& at) {
    return at[2] < 11 ? std::numeric_limits<float>::quiet_NaN() : 1.0F;
  };
  EXPECT_TRUE(points_of(none, 0).empty());
}

}  // namespace
}  // namespace lbm::cases
