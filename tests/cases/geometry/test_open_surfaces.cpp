// SPDX-License-Identifier: Apache-2.0

// Surfaces that are not closed: filled, and as shells.
#include <gtest/gtest.h>

#include <random>

#include "cases/case/limits.hpp"
#include "cases/geometry/surface/mesh_prepare.hpp"
#include "cases/geometry/surface/open_shapes.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/geometry/geometry_voxelise.hpp"

namespace lbm::geometry {
namespace {

using cases::least_thickness;

using namespace testing;

PreparedMesh prepared(const std::vector<Facet>& facets, OpenSurface open) {
  return prepare_mesh(facets, "part.stl", {.open = open});
}
FilledShape filled(const std::vector<Facet>& facets) {
  return FilledShape(prepared(facets, OpenSurface::fill).mesh);
}

// Without the faces at the upper end of an axis: the last two triangles of each axis.
std::vector<Facet> open_box(const Vec& low, const Vec& high, int axis) {
  std::vector<Facet> facets = box_facets(low, high);
  facets.erase(facets.begin() + 4 * axis + 2, facets.begin() + 4 * axis + 4);
  return facets;
}

TEST(GeometryFilled, ABoxWithoutALidIsFilledToItsRim) {
  const Vec low{2, 3, 4}, high{12, 11, 9};
  const std::int64_t whole = voxelise(*mesh_of(box_facets(low, high)), 16);
  EXPECT_EQ(whole, 10 * 8 * 5);
  for (int axis = 0; axis < 3; ++axis) {
    const PreparedMesh box = prepared(open_box(low, high, axis), OpenSurface::fill);
    EXPECT_FALSE(box.closed);
    EXPECT_EQ(box.left.open_edges, 4);
    EXPECT_EQ(box.holes.edges, 4);
    EXPECT_EQ(box.holes.count, 1);
    const Vec size = high - low;
    EXPECT_NEAR(box.holes.length, 2 * (size[(axis + 1) % 3] + size[(axis + 2) % 3]), 1e-9);
    EXPECT_NEAR(box.holes.area, size[(axis + 1) % 3] * size[(axis + 2) % 3], 1e-9);
    EXPECT_NEAR(box.volume, 400, 1e-9);
    EXPECT_TRUE(box.warnings.empty());
    EXPECT_EQ(voxelise(FilledShape(box.mesh), 16), whole);
    EXPECT_NEAR(FilledShape(box.mesh).volume(), 400, 1e-6);
  }
}

const Vec middle{12.1, 11.9, 12.3};

// Rows and columns of cell centres lie in the faces and along the rim.
TEST(GeometryFilled, AnOpenBoxOnCellCentresIsWhole) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t cells =
        voxelise(filled(open_box({2.5, 3.5, 4.5}, {7.5, 8.5, 9.5}, axis)), 12);
    EXPECT_GE(cells, 4 * 4 * 4);
    EXPECT_LE(cells, 6 * 6 * 6);
  }
}

// Three rays of six are not most of them; with a fourth wall there are four.
TEST(GeometryFilled, ACornerOfThreeWallsStaysFluid) {
  std::vector<Facet> corner, walls;
  const std::vector<Facet> box = box_facets({2, 2, 2}, {10, 10, 10});
  for (std::size_t n = 0; n < box.size(); ++n) {
    if (n % 4 < 2) corner.push_back(box[n]);  // the lower face of each axis
    if (n % 4 < 2 || n < 4) walls.push_back(box[n]);
  }
  EXPECT_EQ(voxelise(filled(corner), 12), 0);
  EXPECT_EQ(voxelise(filled(walls), 12), 512);
}

// A sphere without every n-th triangle.
std::vector<Facet> torn_sphere(std::size_t every) {
  std::vector<Facet> torn;
  const std::vector<Facet> facets = sphere_facets(middle, 8.2, 20);
  for (std::size_t n = 0; n < facets.size(); ++n)
    if (n % every != 3) torn.push_back(facets[n]);
  return torn;
}

// Holes mislead three rays from few cells only, but from more the larger they are.
TEST(GeometryFilled, ATornSphereKeepsItsVolume) {
  const auto ball = mesh_of(sphere_facets(middle, 8.2, 20));
  const auto whole = static_cast<double>(voxelise(*ball, 24));
  const double volume = close_holes(ball->mesh()).volume;
  for (const auto& [every, error] : {std::pair{47U, 0.01}, std::pair{17U, 0.03}}) {
    const PreparedMesh torn = prepared(torn_sphere(every), OpenSurface::fill);
    EXPECT_EQ(torn.holes.edges, torn.left.open_edges);
    EXPECT_GT(torn.holes.count, 15);
    EXPECT_NEAR(torn.volume, volume, 1e-5 * volume);
    const FilledShape body(torn.mesh);
    EXPECT_NEAR(double(voxelise(body, 24)), whole, error * whole);
    EXPECT_NEAR(body.volume(), volume, error * volume);
  }
}

TEST(GeometryFilled, OverlappingOpenBoxesAreUnited) {
  std::vector<Facet> facets = open_box({2, 2, 2}, {10, 10, 10}, 2);
  for (const Facet& f : open_box({6, 6, 2}, {14, 14, 10}, 2)) facets.push_back(f);
  EXPECT_EQ(voxelise(filled(facets), 16), 8 * (64 + 64 - 16));
}

TEST(GeometryFilled, ASheetBesideABodyAddsNothing) {
  std::vector<Facet> facets = sphere_facets({8.1, 8.2, 8.3}, 4.2, 12);
  const std::int64_t alone = voxelise(*mesh_of(facets), 16);
  facets.push_back({{{1, 1, 14.2F}, {15, 1, 14.2F}, {15, 15, 14.2F}}});
  facets.push_back({{{1, 1, 14.2F}, {15, 15, 14.2F}, {1, 15, 14.2F}}});
  EXPECT_EQ(voxelise(filled(facets), 16), alone);
}

// An inner wall whose rim lies on the surface: edges of three triangles.
TEST(GeometryFilled, AnInnerWallChangesNothing) {
  std::vector<Facet> facets = box_facets({2, 2, 2}, {8, 8, 8});
  for (const Facet& f : box_facets({8, 2, 2}, {14, 8, 8})) facets.push_back(f);
  const auto on_wall = [](const Facet& f) { return f[0][0] == 8 && f[1][0] == 8 && f[2][0] == 8; };
  const auto wall = std::find_if(facets.begin(), facets.end(), on_wall);
  facets.erase(wall, wall + 2);
  const PreparedMesh two = prepared(facets, OpenSurface::fill);
  EXPECT_FALSE(two.closed);
  EXPECT_EQ(two.left.odd_edges, 4);
  EXPECT_EQ(voxelise(FilledShape(two.mesh), 16), 12 * 6 * 6);
}

TEST(GeometryFilled, TrianglesThatContradictTheirNeighboursAreTurned) {
  std::vector<Facet> facets = open_box({2, 2, 2}, {10, 10, 10}, 0);
  facets[5] = turned(facets[5]);
  const PreparedMesh box = prepared(facets, OpenSurface::fill);
  ASSERT_EQ(box.warnings.size(), 1U);
  EXPECT_EQ(voxelise(FilledShape(box.mesh), 12), 512);
}

TEST(GeometryFilled, ASurfaceWithoutAnOutsideStaysAsItIs) {
  std::vector<Facet> facets;
  const int n = 12;
  const auto corner = [&](int i, double v) -> std::array<float, 3> {
    const double phi = 2 * std::numbers::pi * i / n, half = phi / 2;
    const double r = 8 + v * std::cos(half);
    return rounded({12 + r * std::cos(phi), 12 + r * std::sin(phi), 12 + v * std::sin(half)});
  };
  for (int i = 0; i < n; ++i) {  // a Moebius strip
    const auto a = corner(i, -2), b = corner(i, 2);
    const auto c = i + 1 < n ? corner(i + 1, -2) : corner(0, 2);
    const auto d = i + 1 < n ? corner(i + 1, 2) : corner(0, -2);
    facets.push_back({a, b, c});
    facets.push_back({b, d, c});
  }
  const PreparedMesh strip = prepared(facets, OpenSurface::fill);
  EXPECT_FALSE(strip.closed);
  ASSERT_EQ(strip.warnings.size(), 1U);
  EXPECT_NE(strip.warnings[0].find("has no outside"), std::string::npos);
  EXPECT_LT(voxelise(FilledShape(strip.mesh), 24), 500);
}

TEST(GeometryFilled, AClosedSurfaceIsAsEver) {
  const PreparedMesh ball = prepared(sphere_facets({8, 8, 8}, 5, 10), OpenSurface::fill);
  EXPECT_TRUE(ball.closed);
  EXPECT_EQ(ball.holes.count, 0);
  EXPECT_NEAR(ball.volume, close_holes(testing::weld(sphere_facets({8, 8, 8}, 5, 10))).volume,
              1e-9);
}

// Whatever the body: along a link from a fluid to a solid cell it begins at the share that
// first_entry() says, as side() sees it.
void expect_entries(const Shape& shape, int n, double reach) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> place(0, n), step(-reach, reach);
  int links = 0;
  for (int tries = 0; tries < 200'000 && links < 300; ++tries) {
    const Vec from{place(random), place(random), place(random)};
    const Segment s{from, from + Vec{step(random), step(random), step(random)}};
    if (shape.inside(s.from) || !shape.inside(s.to)) continue;
    ++links;
    const auto share = shape.first_entry(s);
    ASSERT_TRUE(share.has_value());
    EXPECT_FALSE(shape.inside(s.at(std::max(0.0, *share - 1e-6))));
    EXPECT_TRUE(shape.inside(s.at(std::min(1.0, *share + 1e-6)))) << *share;
    for (int k = 1; k < 20; ++k) EXPECT_FALSE(shape.inside(s.at(*share * k / 20 * (1 - 1e-6))));
  }
  EXPECT_EQ(links, 300);
}

TEST(GeometryFilled, LinksBeginWhereSidesChange) {
  expect_entries(filled(torn_sphere(10)), 24, 1.4);
  expect_entries(filled(open_box({2.3, 3.1, 4.7}, {12.9, 11.2, 9.6}, 2)), 16, 1.4);
}

TEST(GeometryFilled, PartsOfCombinationsKeepTheirPlace) {
  const auto box = std::make_shared<FilledShape>(
      prepared(open_box({0, 0, 0}, {8, 8, 8}, 2), OpenSurface::fill).mesh);
  const ShapePtr moved = transformed(box, translation({4, 4, 4}));
  const ShapePtr cut = make_difference(moved, {make_box({8, 8, 12}, {30, 30, 8})});
  EXPECT_EQ(voxelise(*moved, 16), 512);
  EXPECT_EQ(voxelise(*cut, 16), 8 * 8 * 4);
}

// Two triangles, tilted.
std::vector<Facet> sheet() {
  const auto a = rounded({3.1, 4.2, 5.3}), b = rounded({20.2, 6.3, 9.1}),
             c = rounded({18.3, 19.4, 15}), d = rounded({1.2, 17.3, 11.2});
  return {{a, b, c}, {a, c, d}};
}

double area_of(const std::vector<Facet>& facets) {
  double area = 0;
  for (const Facet& f : facets) {
    const Vec a{f[0][0], f[0][1], f[0][2]}, b{f[1][0], f[1][1], f[1][2]},
        c{f[2][0], f[2][1], f[2][2]};
    area += length(cross(b - a, c - a)) / 2;
  }
  return area;
}

ShellShape shell(const std::vector<Facet>& facets, double thickness) {
  return ShellShape(prepared(facets, OpenSurface::shell).mesh, thickness);
}

TEST(GeometryShell, HasTheVolumeOfItsAreaAndThickness) {
  const std::vector<Facet> facets = sheet();
  const double t = 2.4, rim = close_holes(weld(facets)).holes.length;
  // Half a round bar along the rim.
  const double volume = area_of(facets) * t + rim * std::numbers::pi * t * t / 8;
  EXPECT_NEAR(double(voxelise(shell(facets, t), 24)), volume, 0.03 * volume);
}

TEST(GeometryShell, OfAClosedSurfaceIsHollow) {
  const double r = 8, t = 2;
  const ShellShape ball = shell(sphere_facets({12, 12, 12}, r, 40), t);
  EXPECT_FALSE(ball.inside({12, 12, 12}));
  EXPECT_TRUE(ball.inside({12, 12, 20.9}));
  EXPECT_FALSE(ball.inside({12, 12, 21.1}));
  const double volume =
      4.0 / 3 * std::numbers::pi * (std::pow(r + t / 2, 3) - std::pow(r - t / 2, 3));
  EXPECT_NEAR(double(voxelise(ball, 24)), volume, 0.03 * volume);
}

TEST(GeometryShell, LinksBeginWhereSidesChange) {
  expect_entries(shell(sheet(), 1.5), 24, 1.4);
  expect_entries(shell(sphere_facets({12, 12, 12}, 7, 10), 1.5), 24, 1.4);
}

// Links between two fluid cells that pass the sheet, for sheets of all slopes.
int passing(double thickness, int square) {
  std::mt19937 random(11);
  std::normal_distribution<double> draw;
  int count = 0;
  for (int sheets = 0; sheets < 60; ++sheets) {
    const Vec normal = unit({draw(random), draw(random), draw(random)});
    const Vec u = 30 * unit(cross(normal, {0.3, 0.7, -0.2})), v = 30 * unit(cross(normal, u));
    const Vec o{6 + 0.3 * draw(random), 6 + 0.3 * draw(random), 6};
    const std::vector<Facet> facets{{rounded(o - u - v), rounded(o + u - v), rounded(o + u + v)},
                                    {rounded(o - u - v), rounded(o + u + v), rounded(o - u + v)}};
    const ShellShape wall = shell(facets, thickness);
    const MeshShape surface(prepared(facets, OpenSurface::shell).mesh);
    for (int n = 0; n < 12 * 12 * 12; ++n) {
      const Vec from{n % 12 + 0.5, n / 12 % 12 + 0.5, n / 144 + 0.5};
      if (wall.inside(from)) continue;
      for (int c = 0; c < 27; ++c) {
        const Vec step{double(c % 3 - 1), double(c / 3 % 3 - 1), double(c / 9 - 1)};
        if (dot(step, step) > square || dot(step, step) == 0) continue;
        const Segment link{from, from + step};
        if (!wall.inside(link.to) && surface.first_entry(link)) ++count;
      }
    }
  }
  return count;
}

TEST(GeometryShell, NoLinkPassesTheLeastThickness) {
  EXPECT_EQ(passing(least_thickness(VelocitySet::D3Q19), 2), 0);
  EXPECT_EQ(passing(least_thickness(VelocitySet::D3Q27), 3), 0);
  EXPECT_GT(passing(1.0, 2), 0);
}

TEST(GeometryMeshPrepare, CornersAreJoinedWithinAGivenTolerance) {
  std::vector<Facet> facets = box_facets({0, 0, 0}, {4, 4, 4});
  for (auto& corner : facets[3]) corner[2] += 0.01F;
  const auto prepare = [&](std::optional<double> tolerance) {
    return prepare_mesh(facets, "box.stl", {.merge_tolerance = tolerance});
  };
  EXPECT_THROW(prepare(std::nullopt), UsageError);
  EXPECT_THROW(prepare(0.005), UsageError);
  EXPECT_THROW(prepare(0), UsageError);
  const PreparedMesh joined = prepare(0.02);
  EXPECT_TRUE(joined.closed);
  EXPECT_NEAR(joined.volume, 64, 0.2);
  ASSERT_EQ(joined.warnings.size(), 1U);
  EXPECT_EQ(joined.warnings[0],
            "box.stl: 6 open edges closed by joining vertices that are less than 0.02 apart "
            "(merge_tolerance)");
  // Cells of this size cannot be counted.
  EXPECT_THROW(prepare(1e-30), UsageError);
  std::string line;
  try {
    prepare(3);
  } catch (const UsageError& error) {
    line = error.what();
  }
  EXPECT_EQ(
      line,
      "box.stl: merge_tolerance: found 3, must be at most 2, in the units of the file: half of "
      "the edges are shorter than 4");
}

}  // namespace
}  // namespace lbm::geometry
