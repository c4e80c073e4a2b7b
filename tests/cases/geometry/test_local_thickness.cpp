// SPDX-License-Identifier: Apache-2.0

// Thickness of shapes whose thickness is known.
#include <gtest/gtest.h>

#include <memory>

#include "cases/geometry/local_thickness.hpp"
#include "cases/geometry/surface/open_shapes.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"
#include "tests/cases/geometry/geometry_support.hpp"
#include "tests/cases/geometry/voxels/voxel_arrays.hpp"

namespace lbm::geometry {
namespace {

constexpr std::array<int, 3> cells{40, 40, 40};
constexpr double most = 10;

LocalThickness thickness_of(const Shape& shape, const std::array<int, 3>& box = cells) {
  return {shape, SurfaceKind::smooth, box, most};
}

// Least and largest thickness of what is seen along an axis.
std::array<double, 2> range_along(const LocalThickness& thickness, int axis,
                                  const std::array<int, 3>& box = cells) {
  std::array<double, 2> range{1e9, -1e9};
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  for (double j = 0.37; j < box[v]; j += 0.5)
    for (double i = 0.37; i < box[u]; i += 0.5) {
      Vec from{};
      from[u] = i, from[v] = j;
      Vec to = from;
      to[axis] = box[axis];
      const auto point = thickness.first_point({from, to});
      if (!point) continue;
      const double found = thickness.at(*point);
      range = {std::min(range[0], found), std::max(range[1], found)};
    }
  return range;
}

TEST(LocalThickness, OfASphereIsItsDiameterAlsoAtTheRim) {
  const ShapePtr sphere = make_sphere({20, 20, 20}, 3.3);
  const LocalThickness thickness = thickness_of(*sphere);
  for (int axis = 0; axis < 3; ++axis) {
    const auto [least, largest] = range_along(thickness, axis);
    EXPECT_NEAR(least, 6.6, 0.01) << axis;
    EXPECT_NEAR(largest, 6.6, 0.01) << axis;
  }
}

TEST(LocalThickness, OfATurnedPlateIsThatOfThePlate) {
  const Affine turned =
      translation({20, 20, 20}) * rotation({1, 2, 3}, 33) * rotation({0, 1, 0}, 40);
  const ShapePtr plate = transformed(make_box({0, 0, 0}, {18, 14, 0.7}), turned);
  const LocalThickness thickness = thickness_of(*plate);
  for (int axis = 0; axis < 3; ++axis) {
    const auto [least, largest] = range_along(thickness, axis);
    EXPECT_NEAR(least, 0.7, 0.01) << axis;
    EXPECT_NEAR(largest, 0.7, 0.01) << axis;
  }
}

TEST(LocalThickness, OfThePlateIsSeenAtItsNarrowEdge) {
  const ShapePtr plate = make_box({20, 20, 20}, {30, 20, 0.5});
  const LocalThickness thickness = thickness_of(*plate);
  const auto edge = thickness.first_point({{0, 20.1, 20.1}, {40, 20.1, 20.1}});
  ASSERT_TRUE(edge);
  EXPECT_NEAR(edge->inward[0], 1, 1e-6);
  EXPECT_NEAR(thickness.at(*edge), 0.5, 1e-3);
}

TEST(LocalThickness, OfACubeIsNotLessAtItsEdges) {
  const ShapePtr cube = make_box({20, 20, 20}, {9, 9, 9});
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(range_along(thickness_of(*cube), axis)[0], 9, 0.01) << axis;
}

TEST(LocalThickness, OfAShellIsTheGivenOne) {
  Mesh sheet;
  sheet.vertices = {{8, 9, 20}, {32, 10, 21}, {31, 30, 26}, {9, 31, 25}};
  sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
  const ShellShape shell(sheet, 1.5);
  const auto [least, largest] = range_along(thickness_of(shell), 2);
  EXPECT_NEAR(least, 1.5, 0.05);
  EXPECT_LT(largest, 2);  // in its round corners
}

// A cylinder from face to face of a flat box is not as thin as the box.
TEST(LocalThickness, DoesNotCountAnAxisThatTheBodyGoesThrough) {
  const std::array<int, 3> flat{40, 40, 1};
  const ShapePtr cylinder = make_cylinder({20, 20, 0}, {20, 20, 1}, 2.5);
  for (int axis = 0; axis < 3; ++axis) {
    const auto [least, largest] = range_along(thickness_of(*cylinder, flat), axis, flat);
    EXPECT_NEAR(least, 5, 0.02) << axis;
    EXPECT_NEAR(largest, 5, 0.02) << axis;
  }
}

TEST(LocalThickness, OfAFloorIsItsHeight) {
  const ShapePtr floor = make_box({20, 20, 0.3}, {40, 40, 0.6});
  const auto [least, largest] = range_along(thickness_of(*floor), 0);
  EXPECT_NEAR(least, 0.6, 0.01);
  EXPECT_NEAR(largest, 0.6, 0.01);
}

TEST(LocalThickness, OfAUnionIsThatOfItsOuterSurface) {
  const ShapePtr both =
      make_union({make_sphere({20, 20, 20}, 3), make_box({20, 20, 20}, {4, 4, 4})});
  const auto [least, largest] = range_along(thickness_of(*both), 1);
  EXPECT_NEAR(least, 4, 0.01);
  EXPECT_NEAR(largest, 6, 0.01);
  const ShapePtr pipe = make_difference(make_cylinder({20, 20, 5}, {20, 20, 35}, 8),
                                        {make_cylinder({20, 20, 0}, {20, 20, 40}, 7.2)});
  EXPECT_NEAR(range_along(thickness_of(*pipe), 0)[0], 0.8, 0.02);
  EXPECT_NEAR(range_along(thickness_of(*pipe), 0)[1], 0.8, 0.02);
}

TEST(LocalThickness, OfASurfaceOfTrianglesIsThatOfTheBody) {
  const Mesh ball = prepare_mesh(testing::sphere_facets({0, 0, 0}, 1, 24), "ball").mesh;
  const MeshShape wing(moved(ball, translation({20, 20, 20}) * scaling({12, 9, 0.35})));
  const ThicknessSummary summary = thickness_summary(thickness_of(wing), wing.bounds(), cells, 24);
  EXPECT_GT(summary.samples, 600);
  EXPECT_GT(summary.median, 0.3);
  EXPECT_LT(summary.median, 0.7);
  EXPECT_GT(summary.below_one, 0.97);
}

TEST(LocalThickness, OfVoxelsFollowsTheShapeTheyMakeUp) {
  const auto image_where = [](const auto& is_solid) {
    return test::image_of(test::array_of({40, 40, 40}, [&](const Voxels& v) {
      const auto from_middle = [](std::int64_t at) { return static_cast<double>(at) - 19.5; };
      return is_solid(from_middle(v[0]), from_middle(v[1]), from_middle(v[2])) ? 1 : 0;
    }));
  };
  const auto range_of = [](const VoxelPlanesPtr& image) {
    const VoxelShape shape(image, {0, 0, 0}, cells);
    return range_along({shape, SurfaceKind::voxels, cells, most}, 2);
  };
  const auto ball = range_of(
      image_where([](double x, double y, double z) { return x * x + y * y + z * z < 16; }));
  EXPECT_GT(ball[0], 5);
  EXPECT_LT(ball[1], 9.5);
  const auto sheet =
      range_of(image_where([](double, double y, double z) { return std::abs(z - 0.2 * y) < 0.6; }));
  EXPECT_EQ(sheet[0], 1);
  EXPECT_LT(sheet[1], 4);
}

TEST(LocalThickness, SummaryOfAThickBodyHasNoThinPart) {
  const ShapePtr sphere = make_sphere({20, 20, 20}, 12);
  const ThicknessSummary summary =
      thickness_summary(thickness_of(*sphere), sphere->bounds(), cells, 16);
  EXPECT_EQ(summary.median, most);
  EXPECT_EQ(summary.below_one, 0);
  EXPECT_EQ(
      thickness_summary(thickness_of(*sphere), Box{{50, 50, 50}, {60, 60, 60}}, cells, 4).samples,
      0);
}

}  // namespace
}  // namespace lbm::geometry
