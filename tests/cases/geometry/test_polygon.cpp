// SPDX-License-Identifier: Apache-2.0

// Prisms of polygons against boxes, surfaces of triangles, and the angle that the sides span.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry {
namespace {

using std::numbers::pi;

constexpr double far = Box::infinity;

// A star around (12, 12), concave, with coordinates that STL holds exactly.
Polygon star(int points) {
  Polygon polygon;
  for (int n = 0; n < points; ++n) {
    const double angle = 2 * pi * n / points;
    const double r = (6 + 3 * std::cos(5 * angle)) * (n % 2 == 0 ? 1 : 0.9);
    polygon.push_back({static_cast<double>(static_cast<float>(12 + r * std::cos(angle))),
                       static_cast<double>(static_cast<float>(12 + r * std::sin(angle)))});
  }
  return polygon;
}

// NACA 4-digit thickness, from the trailing edge over the upper side and back, which is closed by
// the last point, a copy of the first.
Polygon airfoil(int points, double chord, double thickness) {
  Polygon polygon;
  for (int n = 0; n <= points; ++n) {
    const double angle = 2 * pi * n / points, x = 0.5 * (1 + std::cos(angle));
    const double y = 5 * thickness *
                     (0.2969 * std::sqrt(x) - 0.126 * x - 0.3516 * x * x + 0.2843 * x * x * x -
                      0.1036 * x * x * x * x);
    polygon.push_back({chord * x, chord * (n % points == 0 ? 0 : n <= points / 2 ? y : -y)});
  }
  polygon.back() = polygon.front();
  return polygon;
}

// +-2 pi inside, 0 outside.
double angle_of_sides(const Polygon& polygon, const PlanePoint& p) {
  double sum = 0;
  for (std::size_t n = 0; n < polygon.size(); ++n) {
    const PlanePoint a = polygon[n] - p, b = polygon[(n + 1) % polygon.size()] - p;
    sum += std::atan2(cross(a, b), dot(a, b));
  }
  return sum;
}

TEST(GeometryPolygon, InsideIsWhatTheSidesEncircle) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> at(-1, 25);
  for (const int points : {3, 4, 7, 200, 1001}) {
    for (const Polygon& polygon : {star(points), airfoil(points, 20, 0.3)}) {
      if (meeting_sides(polygon)) continue;  // an airfoil of three points
      const ShapePtr prism = make_prism(polygon, 2, -far, far);
      int solid = 0;
      for (int n = 0; n < 3000; ++n) {
        const Vec p{at(random), polygon[0][1] == 0 ? 0.2 * at(random) - 2 : at(random), at(random)};
        const double angle = std::abs(angle_of_sides(polygon, {p[0], p[1]}));
        ASSERT_EQ(prism->side(p), angle > pi ? 1 : -1);
        solid += angle > pi;
      }
      EXPECT_GT(solid, 50) << points;
    }
  }
}

// The same body as triangles: sides, and fans that close the ends.
TEST(GeometryPolygon, EntriesAreThoseOfTriangles) {
  const Polygon polygon = star(200);
  const float low = 4, high = 19.5;
  std::vector<Facet> facets;
  for (std::size_t n = 0; n < polygon.size(); ++n) {
    const PlanePoint &p = polygon[n], &q = polygon[(n + 1) % polygon.size()];
    const auto corner = [](const PlanePoint& at, float z) {
      return std::array{static_cast<float>(at[0]), static_cast<float>(at[1]), z};
    };
    const auto a = corner(p, low), b = corner(q, low), c = corner(q, high), d = corner(p, high);
    facets.insert(
        facets.end(),
        {{a, b, c}, {a, c, d}, {corner({12, 12}, high), d, c}, {corner({12, 12}, low), b, a}});
  }
  const ShapePtr mesh = testing::mesh_of(facets);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> at(0, 24);
  for (int axis = 0; axis < 3; ++axis) {
    const ShapePtr prism = make_prism(polygon, axis, low, high);
    // The axes of the plane, then `axis`: where the mesh has x, y, z.
    const std::array<int, 3> axes{axis == 0 ? 1 : 0, axis == 2 ? 1 : 2, axis};
    int met = 0;
    for (int n = 0; n < 4000; ++n) {
      const Segment s{{at(random), at(random), at(random)}, {at(random), at(random), at(random)}};
      Segment own;
      for (std::size_t k = 0; k < 3; ++k) {
        own.from[static_cast<std::size_t>(axes[k])] = s.from[k];
        own.to[static_cast<std::size_t>(axes[k])] = s.to[k];
      }
      ASSERT_EQ(prism->side(own.from), mesh->side(s.from));
      if (prism->side(own.from) >= 0) continue;
      const auto found = prism->first_entry(own), expected = mesh->first_entry(s);
      ASSERT_EQ(found.has_value(), expected.has_value());
      if (!found) continue;
      EXPECT_NEAR(*found, *expected, 1e-12);
      ++met;
    }
    EXPECT_GT(met, 500);
  }
}

TEST(GeometryPolygon, ARectangleIsABox) {
  const ShapePtr box = make_box({10, 12.5, 9}, {9, 12, 6});
  const ShapePtr prism =
      make_prism({{5.5, 6}, {14.5, 6}, {14.5, 12}, {14.5, 12}, {5.5, 12}}, 1, 6.5, 18.5);
  EXPECT_EQ(prism->bounds().low, box->bounds().low);
  EXPECT_EQ(prism->bounds().high, box->bounds().high);
  for (int z = 0; z < 48; ++z)
    for (int y = 0; y < 48; ++y)
      for (int x = 0; x < 48; ++x) {
        const Vec p{0.5 * x, 0.5 * y, 0.5 * z};
        ASSERT_EQ(prism->side(p), box->side(p)) << p[0] << " " << p[1] << " " << p[2];
        const Segment s{p, {p[0] + 1, p[1], p[2] - 1}};
        ASSERT_EQ(prism->first_entry(s), box->first_entry(s));
      }
}

TEST(GeometryPolygon, AreaAndWidth) {
  EXPECT_DOUBLE_EQ(area({{0, 0}, {4, 0}, {4, 1}, {1, 1}, {1, 3}, {0, 3}}), 6);
  EXPECT_DOUBLE_EQ(area({{0, 0}, {0, 3}, {1, 3}, {1, 1}, {4, 1}, {4, 0}, {0, 0}}), 6);
  EXPECT_DOUBLE_EQ(width({{0, 0}, {6, 0}, {6, 2}, {0, 2}}), 2);
  EXPECT_NEAR(width({{0, 0}, {3, 3}, {2, 4}, {-1, 1}}), std::sqrt(2), 1e-14);
  EXPECT_NEAR(width(airfoil(400, 100, 0.12)), 12, 0.01);
  EXPECT_NEAR(area(airfoil(2000, 1, 0.12)), 0.0822, 1e-3);
}

TEST(GeometryPolygon, SidesThatMeetAreFound) {
  const auto meeting = [](const Polygon& polygon) {
    return meeting_sides(polygon).value_or(std::array<std::size_t, 2>{99, 99});
  };
  using Pair = std::array<std::size_t, 2>;
  EXPECT_EQ(meeting({{0, 0}, {4, 4}, {4, 0}, {0, 4}}), (Pair{0, 2}));          // a bow tie
  EXPECT_EQ(meeting({{0, 0}, {4, 0}, {4, 4}, {2, 0}, {0, 4}}), (Pair{0, 3}));  // a corner on a side
  EXPECT_EQ(meeting({{0, 0}, {4, 0}, {4, 4}, {2, -1}, {0, 4}}), (Pair{0, 3}));
  EXPECT_EQ(meeting({{0, 0}, {4, 0}, {6, 0}, {4, 0}, {4, 4}}), (Pair{0, 2}));  // a spike
  EXPECT_FALSE(meeting_sides(star(1000)));
  EXPECT_FALSE(meeting_sides(airfoil(1000, 1, 0.12)));
  EXPECT_FALSE(meeting_sides({{0, 0}, {2, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 0}}));  // repeats
}

// Lines along sides and through corners, where rounding decides what they meet.
TEST(GeometryPolygon, LinesAlongSidesAndThroughCorners) {
  const ShapePtr prism = make_prism({{2, 2}, {8, 2}, {8, 8}, {5, 4}, {2, 8}}, 2, -far, far);
  const auto entry = [&](const Vec& from, const Vec& to) {
    return prism->first_entry({from, to}).value_or(9);
  };
  EXPECT_EQ(entry({0, 2, 0}, {10, 2, 0}), 0.2);  // along a side, which is solid
  EXPECT_EQ(entry({2, 0, 0}, {2, 10, 0}), 0.2);
  EXPECT_EQ(entry({5, 12, 0}, {5, 0, 3}), 8.0 / 12);  // into the notch
  EXPECT_EQ(entry({0, 4, 0}, {10, 4, 0}), 0.2);       // through the corner of the notch
  EXPECT_EQ(entry({0, 8, 0}, {10, 8, 0}), 9);         // touches two corners
  EXPECT_EQ(entry({1, 10, 0}, {3, 6, 0}), 0.5);       // through a corner, inwards
  EXPECT_EQ(entry({4, 8, 0}, {4, 8, 9}), 9);          // along the axis
  EXPECT_EQ(prism->side({2, 5, 1}), 0);
  EXPECT_EQ(prism->side({5, 4, -3}), 0);
  EXPECT_EQ(prism->side({5, 4.1, 0}), -1);
}

}  // namespace
}  // namespace lbm::geometry
