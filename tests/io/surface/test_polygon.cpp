// SPDX-License-Identifier: Apache-2.0

// Polygons cut into triangles.
#include "io/surface/surface_reader.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace {

using lbm::io::cut_polygon;
using Points = std::vector<std::array<double, 3>>;

// Area of each triangle, with a sign: along (0.36, 0.48, 0.8) as the polygons below.
std::vector<double> areas_of(const Points& p,
                             const std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::vector<double> areas;
  for (const auto& t : triangles) {
    std::array<double, 3> u{}, v{};
    for (int a = 0; a < 3; ++a) {
      u[a] = p[t[1]][a] - p[t[0]][a];
      v[a] = p[t[2]][a] - p[t[0]][a];
    }
    areas.push_back(0.5 * (0.36 * (u[1] * v[2] - u[2] * v[1]) + 0.48 * (u[2] * v[0] - u[0] * v[2]) +
                           0.8 * (u[0] * v[1] - u[1] * v[0])));
  }
  return areas;
}

// In the plane with that normal.
Points tilted(const std::vector<std::array<double, 2>>& flat) {
  Points points;
  for (const auto& [u, v] : flat)
    points.push_back({0.8 * u - 0.48 * v, -0.6 * u - 0.64 * v, 0.6 * v});
  return points;
}

// One edge of each triangle more in one direction than in the other: the border.
std::map<std::pair<int, int>, int> border_of(
    const std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::map<std::pair<int, int>, int> border;
  for (const auto& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const int a = t[k], b = t[(k + 1) % 3];
      border[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  std::erase_if(border, [](const auto& edge) { return edge.second == 0; });
  return border;
}

std::vector<std::int32_t> all_of(std::size_t count) {
  std::vector<std::int32_t> corners(count);
  std::iota(corners.begin(), corners.end(), 0);
  return corners;
}

TEST(Polygon, OfAnLHasTrianglesOfOneSignAndItsOwnBorder) {
  for (const double sign : {1.0, -1.0}) {
    std::vector<std::array<double, 2>> flat{{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}};
    // Begin with a corner from which a fan would leave the polygon.
    std::rotate(flat.begin(), flat.begin() + 1, flat.end());
    if (sign < 0) std::reverse(flat.begin(), flat.end());
    const Points points = tilted(flat);
    std::vector<std::array<std::int32_t, 3>> triangles;
    ASSERT_TRUE(cut_polygon(points, all_of(6), triangles));
    ASSERT_EQ(triangles.size(), 4U);
    double sum = 0;
    for (const double area : areas_of(points, triangles)) {
      EXPECT_NE(area, 0);
      sum += std::fabs(area);
    }
    EXPECT_NEAR(sum, 6, 1e-12);
    EXPECT_EQ(border_of(triangles).size(), 6U);
  }
}

TEST(Polygon, OfManyCornersMustBeConvex) {
  std::vector<std::array<double, 2>> flat;
  for (int n = 0; n < 2000; ++n) {
    const double angle = 2 * M_PI * n / 2000;
    flat.push_back({std::cos(angle), std::sin(angle)});
  }
  std::vector<std::array<std::int32_t, 3>> triangles;
  EXPECT_TRUE(cut_polygon(tilted(flat), all_of(2000), triangles));
  EXPECT_EQ(triangles.size(), 1998U);
  flat[7] = {0, 0};
  triangles.clear();
  EXPECT_FALSE(cut_polygon(tilted(flat), all_of(2000), triangles));
  EXPECT_TRUE(triangles.empty());
}

// No ear is left at some point: still a surface with the same border.
TEST(Polygon, ThatCrossesItselfKeepsItsBorder) {
  const Points points = tilted({{0, 0}, {2, 2}, {2, 0}, {0, 2}, {-1, 1}});
  std::vector<std::array<std::int32_t, 3>> triangles;
  ASSERT_TRUE(cut_polygon(points, all_of(5), triangles));
  EXPECT_EQ(triangles.size(), 3U);
  EXPECT_EQ(border_of(triangles).size(), 5U);
}

}  // namespace
