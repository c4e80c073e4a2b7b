// SPDX-License-Identifier: Apache-2.0

// Elliptic cylinders, tori and polygons as bodies: their keys, their place, and what is said of
// them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <numbers>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/model/case_model.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::contains;
using std::numbers::pi;
using test::error_of;

// Body b with these keys in a tunnel of 40 x 40 x 80 cells with a stream along z.
Case tunnel(const std::string& keys, const std::vector<std::string>& sets = {}) {
  Case c = parse_case(
      "grid: {cells: [40, 40, 80]}\n"
      "fluid: {reynolds: 50, length: 10}\n"
      "run: {convective_times: 20}\n"
      "boundaries:\n"
      "  z_min: {type: velocity, velocity: [0, 0, 1]}\n"
      "  z_max: outflow\n"
      "  x_min: slip\n"
      "  x_max: slip\n"
      "  y_min: periodic\n"
      "  y_max: periodic\n"
      "bodies:\n"
      "  b: {reference_area: 9, " +
          keys + "}\n",
      "c.yaml", sets);
  c.lattice.representation = Representation::populations;
  return c;
}

CaseModel model_of(const Case& c) {
  validate(c);
  return make_case_model(c, derive(c));
}

std::string refused(const std::string& keys) {
  const std::string line = error_of([&] { model_of(tunnel(keys)); });
  EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  EXPECT_EQ(line.rfind("c.yaml:12: bodies.b", 0), 0U) << line;
  return line;
}

std::string warned(const std::string& keys) {
  return fmt::format("{}", fmt::join(test::warnings_of(tunnel(keys)), "\n"));
}

const std::string elliptic =
    "shape: elliptic_cylinder, from: [20, 8, 30], to: [20, 32, 30], radii: [9, 4]";
const std::string torus = "shape: torus, center: [20, 20, 30], axis: z, radii: [12, 4]";

const std::string corner = "[[8, 6], [32, 6], [32, 16], [18, 16], [18, 30], [8, 30]]";
const std::string polygon = "shape: polygon, axis: y, points: " + corner;  // x and z

double solid_cells(const std::string& keys) {
  return static_cast<double>(model_of(tunnel(keys)).boundaries.solid_cells());
}

TEST(CaseShapes, KeysAreReadAndWritten) {
  for (const std::string& keys :
       {elliptic, elliptic + ", direction: [1, 0, 2]", elliptic + ", direction: z", torus,
        torus + ", rotate: [[1, 0, 0, 30]], scale: [1, 0.5, 1], translate: [0, 2, 9]", polygon,
        polygon + ", span: [4, 22.5], angular_velocity: [0, 0.1, 0]"}) {
    const Case c = tunnel(keys), again = parse_case(to_yaml(c), "again.yaml");
    const Body &a = c.bodies[0], &b = again.bodies[0];
    EXPECT_EQ(a.shape, b.shape);
    EXPECT_EQ(a.radii, b.radii);
    EXPECT_EQ(a.direction, b.direction);
    EXPECT_EQ(a.axis, b.axis);
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.span, b.span);
    EXPECT_EQ(model_of(c).boundaries.blocked_links(), model_of(again).boundaries.blocked_links());
  }
  EXPECT_TRUE(contains(to_yaml(tunnel(torus)), "axis: z\n"));
  EXPECT_EQ(tunnel(torus).bodies[0].axis, (Vec3{0, 0, 1}));
}

TEST(CaseShapes, CellsFillTheVolume) {
  const double ellipse = pi * 9 * 4 * 24, ring = 2 * pi * pi * 12 * 16;
  EXPECT_NEAR(solid_cells(elliptic) / ellipse, 1, 0.01);
  EXPECT_NEAR(solid_cells(elliptic + ", direction: z") / ellipse, 1, 0.01);
  // Off the lattice, so that the error of single cells averages out.
  const std::string off = "shape: torus, center: [20.13, 19.81, 30.37], axis: z, radii: [12, 4]";
  EXPECT_NEAR(solid_cells(off) / ring, 1, 0.01);
  EXPECT_NEAR(solid_cells(off + ", scale: [0.5, 1, -0.75], translate: [10, 0, 60]") / ring, 0.375,
              0.01);
  EXPECT_EQ(solid_cells(polygon), (24 * 10 + 10 * 14) * 40);
  EXPECT_EQ(solid_cells(polygon + ", span: [4, 22.4]"), (24 * 10 + 10 * 14) * 18);
  // The whole without a hole in it.
  const std::string hole = "shape: torus, center: [20, 20, 30], axis: [0, 0, 2], radii: [12, 3]";
  const Case c = tunnel(
      "shape: difference, of: [whole, hole]",
      {"bodies.whole={solid: false, " + torus + "}", "bodies.hole={solid: false, " + hole + "}"});
  EXPECT_NEAR(static_cast<double>(model_of(c).boundaries.solid_cells()) / ring, 1 - 9.0 / 16, 0.01);
}

// The bounds that checks use without making a shape are those of the shape.
TEST(CaseShapes, BoundsAreThoseOfTheShape) {
  const std::string turned = ", rotate: [[0, 0, 1, 20]], translate: [8, -6, 0]";
  const std::vector<std::string> all{
      elliptic,
      elliptic + turned,
      torus,
      torus + turned,
      polygon + ", span: [4, 22]",
      polygon + ", span: [4, 22]" + turned,
      "shape: torus, center: [20, 20, 30], axis: [1, 2, 3], radii: [9, 4]",
      "shape: elliptic_cylinder, from: [20, 8, 30], to: [24, 32, 36], radii: [9, 4], direction: x, "
      "scale: [1, 1, 1.5]"};
  for (const std::string& keys : all) {
    SCOPED_TRACE(keys);
    const Case c = tunnel(keys);
    validate(c);
    const Derived derived = derive(c);
    const Units units = make_units(c, derived);
    const auto bounds = BodyBounds(c, units).of(c.bodies[0]);
    ASSERT_TRUE(bounds);
    const CaseShapes shapes = make_shapes(c, derived, {});
    const geometry::Shape& shape = *shapes.set->bodies()[0].shape;
    // The shape touches each face of the bounds: within 1e-3 there are points of it, beyond none.
    for (std::size_t a = 0; a < 3; ++a)
      for (const bool upper : {false, true}) {
        const auto holds = [&](double by) {
          const double at = upper ? bounds->high[a] + by : bounds->low[a] - by;
          for (int i = 0; i <= 400; ++i) {
            geometry::Segment s{bounds->low, bounds->high};
            s.from[a] = s.to[a] = at;
            const std::size_t across = (a + 1) % 3;
            s.from[across] = s.to[across] =
                bounds->low[across] + (bounds->high[across] - bounds->low[across]) * i / 400;
            const std::size_t along = (a + 2) % 3;
            s.from[along] -= 1;
            s.to[along] += 1;
            if (shape.first_entry(s)) return true;
          }
          return false;
        };
        EXPECT_FALSE(holds(1e-9)) << "xyz"[a] << upper;
        EXPECT_TRUE(holds(-0.02)) << "xyz"[a] << upper;
      }
  }
}

TEST(CaseShapes, EachWrongUseIsOneLine) {
  EXPECT_TRUE(contains(refused("shape: torus, center: [9, 9, 9], axis: x"),
                       "bodies.b.radii: missing: shape: torus requires"));
  EXPECT_TRUE(contains(refused(torus + ", radius: 3"), "bodies.b.radius: conflicts with shape"));
  EXPECT_TRUE(contains(
      refused(torus + ", direction: x"),
      "bodies.b.direction: conflicts with shape: torus, requires shape: elliptic_cylinder"));
  EXPECT_TRUE(contains(refused("shape: torus, center: [20, 20, 30], axis: z, radii: [4, 12]"),
                       "bodies.b.radii: found a tube of radius 12 around a ring of radius 4, must "
                       "be thinner"));
  EXPECT_TRUE(contains(refused("shape: torus, center: [20, 20, 100], axis: z, radii: [12, 4]"),
                       "outside the box"));
  EXPECT_TRUE(contains(
      refused("shape: elliptic_cylinder, from: [20, 8, 30], to: [21, 32, 30], radii: [9, 4]"),
      "bodies.b.direction: missing"));
  EXPECT_TRUE(contains(refused(elliptic + ", direction: [0, -3, 0]"),
                       "bodies.b.direction: found the direction of the axis"));
  EXPECT_TRUE(
      contains(refused("shape: elliptic_cylinder, from: [8, 8, 8], to: [8, 8, 8], radii: [9, 4]"),
               "bodies.b.to: found the same point"));
  for (const char* axis : {"w", "[0, 0, 0]", "[1, 2]", "3"})
    EXPECT_TRUE(contains(error_of([&] { tunnel("shape: torus, axis: " + std::string(axis)); }),
                         "bodies.b.axis: found"))
        << axis;
}

TEST(CaseShapes, WrongPolygonsAreRefused) {
  EXPECT_TRUE(contains(refused("shape: polygon, axis: y, points: [[8, 6], [32, 6], [8, 6]]"),
                       "bodies.b.points: found 3 points, 2 of them different"));
  EXPECT_TRUE(contains(refused("shape: polygon, axis: y, points: [[8, 6], [32, 6], [12, 6]]"),
                       "bodies.b.points: found all points on a line"));
  EXPECT_TRUE(
      contains(refused("shape: polygon, axis: y, points: [[8, 6], [32, 6], [8, 16], [32, 16]]"),
               "bodies.b.points: found sides that cross or touch, from point 2 at [32, 6] and from "
               "point 4 at [32, 16] on, must be a border that meets itself nowhere"));
  EXPECT_TRUE(contains(refused("shape: polygon, axis: [0, 1, 1], points: " + corner),
                       "bodies.b.axis: found an oblique axis, must be x, y or z"));
  EXPECT_TRUE(contains(refused(polygon + ", span: [4, 4]"), "bodies.b.span: found"));
  EXPECT_TRUE(contains(refused(polygon + ", span: [41, 44]"), "outside the box"));
  EXPECT_TRUE(contains(refused(polygon + ", translate: [0, 0, -31]"), "outside the box"));
  EXPECT_TRUE(contains(refused(polygon + ", center: [4, 4, 4]"), "bodies.b.center: conflicts"));
  EXPECT_TRUE(contains(refused("shape: polygon, axis: y"), "bodies.b.points: missing"));
  EXPECT_TRUE(contains(refused(torus + ", span: [4, 9]"), "bodies.b.span: conflicts with shape"));
}

// An endless polygon reaches through the box however long it is, and repeats across its axis.
TEST(CaseShapes, EndlessPolygons) {
  EXPECT_EQ(solid_cells("shape: polygon, axis: z, points: [[8, 30], [20, 30], [20, 50], [8, 50]]"),
            12 * 20 * 80);
  // Turned about its axis, moved over the periodic face: the same number of cells as in the middle.
  const auto turned = [](double y) {
    return solid_cells(fmt::format(
        "shape: polygon, axis: z, points: [[-6, -4], [6, -4], [6, 4], [-6, 4]], rotate: [[0, 0, 1, "
        "90]], translate: [20, {}, 0]",
        y));
  };
  EXPECT_EQ(turned(20), 12 * 8 * 80);
  EXPECT_EQ(turned(38), 12 * 8 * 80);
  // Torques are about the middle of the box along the axis.
  const CaseShapes shapes = [] {
    const Case c = tunnel(polygon);
    return make_shapes(c, derive(c), {});
  }();
  EXPECT_EQ(shapes.specs[0].motion.center[0], 20);
  EXPECT_EQ(shapes.specs[0].motion.center[1], 20);
  EXPECT_EQ(shapes.specs[0].motion.center[2], 18);
}

TEST(CaseShapes, ScaleMovesAndThins) {
  const std::string ball = "shape: sphere, center: [20, 20, 30], radius: 5, scale: ";
  EXPECT_NO_THROW(model_of(tunnel(ball + "[1, 1, 2.8]")));
  EXPECT_TRUE(contains(refused(ball + "[1, 1, 3.3]"), "outside the box"));
  EXPECT_TRUE(contains(refused(ball + "[1, -1, 1]"), "outside the box"));
  EXPECT_EQ(solid_cells(ball + "[1, -1, 1], translate: [0, 40, 0]"), solid_cells(ball + "1"));
  EXPECT_TRUE(contains(warned(ball + "[1, 0.5, 1]"), "smallest extent is 5 cells"));
  const std::string slab =
      "shape: cylinder, from: [18, 20, 30], to: [22, 20, 30], radius: 8, scale: ";
  EXPECT_TRUE(contains(warned(slab + "[0.5, 1, 1]"), "smallest extent is 2 cells"));
  EXPECT_TRUE(contains(warned(slab + "[4, 0.375, 1]"), "smallest extent is 6 cells"));
  const std::string floor = "shape: plane, center: [0, 0, 10], normal: [0, 0, 1], scale: ";
  EXPECT_EQ(solid_cells(floor + "[1, 1, 2]"), 40 * 40 * 20);
  // Mirrored at z = 0, then moved back up: solid above.
  EXPECT_EQ(solid_cells(floor + "[1, 1, -1], translate: [0, 0, 20]"), 40 * 40 * 70);
  EXPECT_TRUE(contains(refused(floor + "[1, 1, -1], translate: [0, 0, 100]"), "outside the box"));
}

TEST(CaseShapes, ThinOnesAreWarnedOf) {
  EXPECT_EQ(warned(torus), "");
  EXPECT_FALSE(contains(warned(elliptic), "extent"));
  EXPECT_TRUE(contains(warned("shape: torus, center: [20, 20, 30], axis: z, radii: [12, 3.5]"),
                       "bodies.b: its smallest extent is 7 cells"));
  EXPECT_TRUE(contains(warned(torus + ", scale: [0.5, 1, 1], translate: [10, 0, 0]"),
                       "bodies.b: its smallest extent is 4 cells"));
  EXPECT_FALSE(contains(warned(polygon), "extent"));
  EXPECT_TRUE(contains(warned(polygon + ", scale: [1, 1, 0.25]"), "smallest extent is 6 cells"));
  EXPECT_TRUE(contains(warned(polygon + ", span: [4, 7]"), "smallest extent is 3 cells"));
  EXPECT_TRUE(contains(warned(elliptic + ", scale: [1, 1, 0.5]"), "smallest extent is 4 cells"));
  EXPECT_TRUE(contains(warned("shape: elliptic_cylinder, from: [20, 20, 30], to: [20, 22, 30], "
                              "radii: [9, 5]"),
                       "smallest extent is 2 cells, below 8: its shape is not resolved, but no "
                       "fluid passes through it"));
}

TEST(CaseShapes, BlockageCountsTheShape) {
  const auto share = [](const std::string& keys) {
    const Case c = tunnel(keys);
    return blockage(c, derive(c)).value_or(0) * 40 * 40;
  };
  EXPECT_NEAR(share(torus), 4 * pi * 12 * 4, 1e-9);
  EXPECT_NEAR(share("shape: torus, center: [20, 20, 30], axis: y, radii: [12, 4]"),
              4 * 12 * 4 + pi * 16, 1e-9);
  EXPECT_NEAR(
      share("shape: elliptic_cylinder, from: [20, 20, 30], to: [20, 20, 50], radii: [9, 4]"),
      pi * 36, 1e-9);
  EXPECT_NEAR(share(elliptic), 18 * 24, 1e-9);
  EXPECT_NEAR(share("shape: polygon, axis: z, points: [[8, 6], [32, 6], [8, 16]]"), 120, 1e-9);
  EXPECT_NEAR(share(polygon), 24 * 40, 1e-9);
}

}  // namespace
}  // namespace lbm::cases
