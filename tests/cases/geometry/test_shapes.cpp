// SPDX-License-Identifier: Apache-2.0

// Shapes against their side(), independent of the formulas for crossings.
#include <gtest/gtest.h>

#include <random>

#include "cases/geometry/primitives/primitives.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry {
namespace {

using testing::some_shapes;

// First share at which side() becomes solid, by small steps and bisection.
std::optional<double> entry_by_side(const Shape& shape, const Segment& s) {
  constexpr int steps = 400;
  for (int n = 1; n <= steps; ++n) {
    if (!shape.inside(s.at(double(n) / steps))) continue;
    double outside = (n - 1.0) / steps, within = double(n) / steps;
    for (int k = 0; k < 50; ++k) {
      const double middle = 0.5 * (outside + within);
      (shape.inside(s.at(middle)) ? within : outside) = middle;
    }
    return within;
  }
  return std::nullopt;
}

TEST(GeometryShapes, EntryIsWhereSideTurnsSolid) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> at(0, 24);
  for (const auto& [name, shape] : some_shapes()) {
    int met = 0;
    for (int n = 0; n < 400; ++n) {
      const Segment s{{at(random), at(random), at(random)}, {at(random), at(random), at(random)}};
      if (shape->inside(s.from)) continue;
      const auto found = shape->first_entry(s);
      const auto expected = entry_by_side(*shape, s);
      // Steps may miss a thin piece, but never find one that is not there.
      if (expected) {
        ASSERT_TRUE(found) << name;
        if (*found < *expected - 1e-9)
          EXPECT_TRUE(shape->inside(s.at(*found + 1e-7))) << name;
        else
          EXPECT_NEAR(*found, *expected, 1e-9) << name;
        ++met;
      }
    }
    EXPECT_GT(met, 20) << name;
  }
}

TEST(GeometryShapes, RowsAgreeWithSideAndBounds) {
  for (const auto& [name, shape] : some_shapes()) {
    const Box box = shape->bounds();
    for (const double offset : {0.5, 0.0, 0.25}) {
      int solid = 0;
      for (int k = 0; k < 24; ++k) {
        const Window w{{offset, offset, k + offset}, 24, 24};
        std::vector<std::int8_t> sides(24 * 24, 9);
        shape->sides(w, sides);
        for (int j = 0; j < 24; ++j)
          for (int i = 0; i < 24; ++i) {
            const Vec p{i + offset, j + offset, k + offset};
            ASSERT_EQ(int{sides[j * 24 + i]}, shape->side(p))
                << name << " " << i << " " << j << " " << k;
            if (sides[j * 24 + i] < 0) continue;
            ++solid;
            for (int a = 0; a < 3; ++a)
              ASSERT_TRUE(box.low[a] - 1e-9 <= p[a] && p[a] <= box.high[a] + 1e-9) << name;
          }
      }
      EXPECT_GT(solid, 0) << name;
    }
  }
}

TEST(GeometryShapes, ClosedForms) {
  const Segment x{{0, 10, 10}, {20, 10, 10}};
  EXPECT_NEAR(*make_sphere({10, 10, 10}, 4)->first_entry(x), 6.0 / 20, 1e-15);
  EXPECT_NEAR(*make_sphere({10, 13, 10}, 5)->first_entry(x), 6.0 / 20, 1e-15);
  EXPECT_NEAR(*make_ellipsoid({10, 10, 10}, {12, 6, 4})->first_entry(x), 4.0 / 20, 1e-15);
  EXPECT_NEAR(*make_ellipsoid({10, 13, 10}, {4, 10, 4})->first_entry(x), (10 - 1.6) / 20, 1e-15);
  EXPECT_NEAR(*make_box({10, 10, 10}, {6, 2, 2})->first_entry(x), 7.0 / 20, 1e-15);
  EXPECT_NEAR(*make_cylinder({8, 10, 10}, {18, 10, 10}, 3)->first_entry(x), 8.0 / 20, 1e-15);
  EXPECT_NEAR(*make_cylinder({10, 10, 0}, {10, 10, 20}, 3)->first_entry(x), 7.0 / 20, 1e-15);
  EXPECT_NEAR(*make_capsule({8, 10, 10}, {18, 10, 10}, 3)->first_entry(x), 5.0 / 20, 1e-15);
  EXPECT_NEAR(*make_capsule({8, 11.8, 10}, {18, 11.8, 10}, 3)->first_entry(x), (8 - 2.4) / 20,
              1e-15);
  EXPECT_NEAR(*make_half_space({12, 0, 0}, {-2, 0, 0})->first_entry(x), 12.0 / 20, 1e-15);
  EXPECT_FALSE(make_half_space({12, 0, 0}, {-2, 0, 0})->first_entry({{0, 0, 0}, {11, 5, 5}}));
}

TEST(GeometryShapes, SurfacePointsAreSolid) {
  EXPECT_EQ(make_sphere({5.5, 5.5, 5.5}, 3)->side({8.5, 5.5, 5.5}), 0);
  EXPECT_EQ(make_box({5, 5, 5}, {1, 1, 1})->side({5.5, 4.5, 5}), 0);
  EXPECT_EQ(make_cylinder({5, 5, 2.5}, {5, 5, 9.5}, 2)->side({7, 5, 9.5}), 0);
  EXPECT_EQ(make_half_space({0, 0, 2.5}, {0, 0, 1})->side({7, 5, 2.5}), 0);
  // The wall left by a cut is solid, too.
  const ShapePtr pipe =
      make_difference(make_box({5, 5, 5}, {8, 8, 8}), {make_box({5, 5, 5}, {3, 3, 9})});
  EXPECT_EQ(pipe->side({6.5, 5, 5}), 0);
  EXPECT_EQ(pipe->side({6.4, 5, 5}), -1);
  EXPECT_EQ(pipe->side({6.6, 5, 5}), 1);
  // The centre of the solid cell lies exactly on the surface.
  EXPECT_EQ(make_sphere({5.5, 5.5, 5.5}, 3)->first_entry({{9.5, 5.5, 5.5}, {8.5, 5.5, 5.5}}), 1.0);
}

TEST(GeometryShapes, TransformsComposeInOrder) {
  const Affine a = translation({10, 0, 0}) * rotation({0, 0, 2}, 90) * scaling({2, 1, 1});
  EXPECT_EQ(a({1, 0, 0}), (Vec{10, 2, 0}));
  EXPECT_EQ(rotation({1, 0, 0}, 90)({0, 1, 0}), (Vec{0, 0, 1}));
  EXPECT_EQ(rotation({0, 1, 0}, -270)({0, 0, 1}), (Vec{1, 0, 0}));
  const Vec turned = rotation({1, 1, 1}, 120)({1, 0, 0});
  EXPECT_NEAR(length(turned - Vec{0, 1, 0}), 0, 1e-15);
  const Vec there_and_back = inverse(a)(a({3, 4, 5}));
  EXPECT_NEAR(length(there_and_back - Vec{3, 4, 5}), 0, 1e-14);

  const ShapePtr ellipsoid = transformed(make_sphere({0, 0, 0}, 2), a);
  EXPECT_EQ(ellipsoid->side({10, 4, 0}), 0);
  EXPECT_EQ(ellipsoid->side({10, 3.9, 0}), 1);
  EXPECT_EQ(ellipsoid->side({12.1, 0, 0}), -1);
  EXPECT_NEAR(*ellipsoid->first_entry({{10, 6, 0}, {10, 2, 0}}), 0.5, 1e-15);
}

// The square of a component may vanish or overflow.
TEST(GeometryShapes, AxesHaveAnyLengthButZero) {
  for (const double l : {1e-300, 1e-160, 1e160, 1e300}) {
    EXPECT_EQ(rotation({0, 0, l}, 90).matrix, rotation({0, 0, 1}, 90).matrix) << l;
    EXPECT_NEAR(length(rotation({l, l, 0}, 180)({1, 0, 0}) - Vec{0, 1, 0}), 0, 1e-15) << l;
    const ShapePtr floor = make_half_space({0, 0, 2}, {0, 0, l});
    EXPECT_EQ(floor->side({0, 0, 1}), 1) << l;
    EXPECT_EQ(floor->side({0, 0, 3}), -1) << l;
  }
}

TEST(GeometryShapes, WrongSizesAreSaid) {
  EXPECT_THROW(transformed(make_sphere({0, 0, 0}, 1), scaling({1, 0, 1})), UsageError);
}

}  // namespace
}  // namespace lbm::geometry
