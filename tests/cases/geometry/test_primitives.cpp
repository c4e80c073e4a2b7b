// SPDX-License-Identifier: Apache-2.0

// Elliptic cylinders and tori: their crossings against volumes, other shapes and known distances.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry {
namespace {

using std::numbers::pi;
using testing::some_shapes;

std::vector<double> sorted_shares(const Shape& shape, const Segment& s) {
  std::vector<double> shares{0};
  shape.crossings(s, shares);
  std::sort(shares.begin() + 1, shares.end());
  shares.push_back(1);
  return shares;
}

// side() changes only at the shares of crossings(), also along links of the lattice and along lines
// that touch the surface.
TEST(GeometryPrimitives, SideIsConstantBetweenShares) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> at(0, 24);
  std::uniform_int_distribution<int> cell(0, 23), step(-1, 1), far(0, 24);
  for (const auto& [name, shape] : some_shapes()) {
    for (int n = 0; n < 3000; ++n) {
      Segment s{{at(random), at(random), at(random)}, {at(random), at(random), at(random)}};
      if (n % 3 > 0) {
        s.from = {cell(random) + 0.5, cell(random) + 0.5, cell(random) + 0.5};
        const double length = n % 3 == 1 ? 1 : far(random);
        s.to =
            s.from + length * Vec{double(step(random)), double(step(random)), double(step(random))};
      }
      const auto shares = sorted_shares(*shape, s);
      for (std::size_t k = 0; k + 1 < shares.size(); ++k) {
        // Near a place where the line touches the surface rounding decides.
        const double from = shares[k] + 1e-6, to = shares[k + 1] - 1e-6;
        if (!(from < to)) continue;
        const int middle = shape->side(s.at(0.5 * (from + to)));
        for (const double part : {0.0, 0.13, 0.41, 0.77, 1.0}) {
          ASSERT_EQ(shape->side(s.at(from + part * (to - from))), middle)
              << name << " from " << s.from[0] << " " << s.from[1] << " " << s.from[2] << " to "
              << s.to[0] << " " << s.to[1] << " " << s.to[2];
        }
      }
    }
  }
}

// The lengths of rows inside, summed up: the midpoint rule across, exact along the rows.
double volume_by_rows(const Shape& shape) {
  constexpr int rows = 240;
  const Box box = shape.bounds();
  const Vec size = box.high - box.low;
  double sum = 0;
  for (int k = 0; k < rows; ++k)
    for (int j = 0; j < rows; ++j) {
      const double y = box.low[1] + size[1] * (j + 0.5) / rows;
      const double z = box.low[2] + size[2] * (k + 0.5) / rows;
      const Segment s{{box.low[0] - 1, y, z}, {box.high[0] + 1, y, z}};
      const auto shares = sorted_shares(shape, s);
      for (std::size_t n = 0; n + 1 < shares.size(); ++n)
        if (shape.inside(s.at(0.5 * (shares[n] + shares[n + 1]))))
          sum += (shares[n + 1] - shares[n]) * (size[0] + 2);
    }
  return sum * size[1] * size[2] / (rows * rows);
}

TEST(GeometryPrimitives, VolumesAreThoseOfTheFormulas) {
  const Vec a{3, 4, 5}, b{9, 6, 8};
  const double l = length(b - a);
  const std::vector<std::tuple<const char*, ShapePtr, double>> shapes{
      {"ellipsoid", make_ellipsoid(a, {5, 3, 4}), pi / 6 * 60},
      {"cylinder", make_cylinder(a, b, 2), pi * 4 * l},
      {"capsule", make_capsule(a, b, 2), pi * 4 * l + 4 * pi / 3 * 8},
      {"elliptic cylinder", make_elliptic_cylinder(a, b, {3, 1.5}, {1, 0, 0}), pi * 4.5 * l},
      {"elliptic cylinder along z", make_elliptic_cylinder(a, {3, 4, 9}, {3, 1.5}, {1, 1, 0}),
       pi * 4.5 * 4},
      {"torus", make_torus(a, {0, 0, 1}, 4, 1.5), 2 * pi * pi * 4 * 2.25},
      {"thick torus", make_torus(a, {1, -2, 0.5}, 2, 1.95), 2 * pi * pi * 2 * 1.95 * 1.95},
      {"thin torus", make_torus(a, {1, 0, 0}, 6, 0.5), 2 * pi * pi * 6 * 0.25},
      {"flattened torus", transformed(make_torus(a, {1, 1, 0}, 4, 1.5), scaling({1, -0.5, 2})),
       2 * pi * pi * 4 * 2.25},
  };
  for (const auto& [name, shape, volume] : shapes)
    EXPECT_NEAR(volume_by_rows(*shape) / volume, 1, 1e-3) << name;
}

TEST(GeometryPrimitives, AnEllipticCylinderIsAScaledCylinder) {
  const ShapePtr round = make_cylinder({12, 12, 3}, {12, 12, 20}, 4);
  const ShapePtr same = make_elliptic_cylinder({12, 12, 3}, {12, 12, 20}, {4, 4}, {1, 0, 0});
  const ShapePtr flat = make_elliptic_cylinder({12, 12, 3}, {12, 12, 20}, {2, 4}, {0, 1, 0});
  const ShapePtr scaled = transformed(make_cylinder({0, 0, 3}, {0, 0, 20}, 4),
                                      translation({12, 12, 0}) * scaling({1, 0.5, 1}));
  std::mt19937 random(5);
  std::uniform_real_distribution<double> at(0, 24);
  int met = 0;
  for (int n = 0; n < 3000; ++n) {
    const Segment s{{at(random), at(random), at(random)}, {at(random), at(random), at(random)}};
    for (const auto& [one, other] : {std::pair{round, same}, {scaled, flat}}) {
      ASSERT_EQ(one->side(s.from), other->side(s.from));
      const auto first = one->first_entry(s), second = other->first_entry(s);
      ASSERT_EQ(first.has_value(), second.has_value());
      if (!first) continue;
      EXPECT_NEAR(*first, *second, 1e-12);
      ++met;
    }
  }
  EXPECT_GT(met, 500);
  EXPECT_EQ(flat->bounds().low, (Vec{8, 10, 3}));
  EXPECT_EQ(flat->bounds().high, (Vec{16, 14, 20}));
  EXPECT_EQ(flat->side({16, 12, 20}), 0);
  EXPECT_EQ(flat->side({12, 14.1, 10}), -1);
}

// A torus is the union of the balls of radius 2 about the points of its ring.
TEST(GeometryPrimitives, ATorusIsATubeAroundARing) {
  const Vec centre{12, 11, 13}, axis = unit({1, 2, -2});
  const ShapePtr torus = make_torus(centre, 7.0 * axis, 6, 2);
  const Vec u = perpendicular(axis), v = cross(axis, u);
  std::mt19937 random(9);
  std::uniform_real_distribution<double> at(2, 22);
  int solid = 0;
  for (int n = 0; n < 2000; ++n) {
    const Vec p{at(random), at(random), at(random)};
    double nearest = 100;
    for (int k = 0; k < 2000; ++k) {
      const double angle = 2 * pi * k / 2000;
      nearest =
          std::min(nearest, length(p - centre - 6 * std::cos(angle) * u - 6 * std::sin(angle) * v));
    }
    if (std::abs(nearest - 2) < 1e-3) continue;
    ASSERT_EQ(torus->side(p), nearest < 2 ? 1 : -1);
    solid += nearest < 2;
  }
  EXPECT_GT(solid, 100);
}

TEST(GeometryPrimitives, DistancesToATorusAreExact) {
  const ShapePtr torus = make_torus({10, 10, 10}, {0, 0, 1}, 5, 2);
  const Segment x{{0, 10, 10}, {20, 10, 10}};
  EXPECT_NEAR(*torus->first_entry(x), 3.0 / 20, 1e-15);
  EXPECT_NEAR(*torus->first_entry({{10, 10, 10}, {20, 10, 10}}), 0.3, 1e-15);  // from its hole
  // At half of its height the tube begins at 10 - 5 - sqrt(3).
  EXPECT_NEAR(*torus->first_entry({{0, 10, 11}, {20, 10, 11}}), (5 - std::sqrt(3.0)) / 20, 1e-15);
  EXPECT_NEAR(*torus->first_entry({{10, 15, 20}, {10, 15, 10}}), 0.8, 1e-15);
  EXPECT_FALSE(torus->first_entry({{10, 10, 0}, {10, 10, 20}}));  // through the hole
  std::vector<double> shares = sorted_shares(*torus, x);
  for (const double expected : {3.0, 7.0, 13.0, 17.0}) {
    const auto near = [&](double t) { return std::abs(t - expected / 20) < 1e-15; };
    EXPECT_TRUE(std::any_of(shares.begin(), shares.end(), near)) << expected;
  }
  // On the surface.
  for (const Vec& p : {Vec{17, 10, 10}, {13, 10, 10}, {15, 10, 12}, {10, 5, 8}})
    EXPECT_EQ(torus->side(p), 0);
  EXPECT_EQ(torus->bounds().low, (Vec{3, 3, 8}));
  EXPECT_EQ(torus->bounds().high, (Vec{17, 17, 12}));
}

// Lines that touch the torus in one point, in two at once, or along a circle, moved by `depth` into
// it: no entry outside, an entry at the known place inside, down to the rounding of the place.
TEST(GeometryPrimitives, LinesThatTouchATorus) {
  const double ring = 5, tube = 2;
  const ShapePtr torus = make_torus({0, 0, 0}, {0, 0, 1}, ring, tube);
  const double slope = std::asin(tube / ring);
  for (const double depth : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12}) {
    SCOPED_TRACE(depth);
    for (const double by : {depth, -depth}) {
      const double top = tube - by, outer = ring + tube - by;
      const Segment above{{-20, 0, top}, {20, 0, top}};       // across the tube's top
      const Segment beside{{-20, outer, 0}, {20, outer, 0}};  // along the outer equator
      const Segment level{{-20, 5, top}, {20, 5, top}};       // along the top
      const double angle = slope - by / ring;                 // through the centre, bitangent
      const Vec end{20 * std::cos(angle), 0, 20 * std::sin(angle)};
      const Segment tilted{-1.0 * end, end};
      const double half = std::sqrt(tube * tube - top * top);
      const std::vector<std::pair<Segment, double>> lines{
          {above, 20 - ring - half},
          {beside, 20 - std::sqrt((ring + tube) * (ring + tube) - outer * outer)},
          {level, 20 - std::sqrt((ring + half) * (ring + half) - 25)},
          {tilted, 0}};
      for (const auto& [line, expected] : lines) {
        const auto entry = torus->first_entry(line);
        ASSERT_EQ(entry.has_value(), by > 0);
        if (!entry) continue;
        const double found = *entry * 40;
        // Rounding moves the place by 1e-15 / slope. Along the top the slope falls as
        // depth^(3/4), elsewhere as its square root.
        const double rounding = 1e-13 + 1e-15 / std::pow(depth, 0.75);
        if (expected > 0) {
          EXPECT_NEAR(found, expected, rounding);
        }
        EXPECT_EQ(torus->side(line.at(*entry - (rounding + 1e-9 * depth) / 40)), -1);
      }
    }
  }
}

// A box that is endless along one axis stays finite along those that this axis does not reach.
TEST(GeometryPrimitives, BoundsOfMovedEndlessBoxes) {
  constexpr double far = Box::infinity;
  const Box rod{{-1, -2, -far}, {1, 2, far}};
  const Box turned = moved(rod, translation({5, 6, 7}) * rotation({0, 0, 1}, 90));
  EXPECT_EQ(turned.low, (Vec{3, 5, -far}));
  EXPECT_EQ(turned.high, (Vec{7, 7, far}));
  const Box tilted = moved(rod, rotation({1, 0, 0}, 30) * scaling({-2, 1, 1}));
  EXPECT_EQ(tilted.low, (Vec{-2, -far, -far}));
  EXPECT_EQ(tilted.high, (Vec{2, far, far}));
}

}  // namespace
}  // namespace lbm::geometry
