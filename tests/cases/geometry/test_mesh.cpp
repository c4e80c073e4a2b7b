// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces: scan lines and hits.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "cases/geometry/mesh_shape.hpp"
#include "tests/cases/geometry/geometry_voxelise.hpp"

namespace lbm::geometry {
namespace {

using namespace testing;

// Winding number of the surface around a point: sum of the solid angles of the triangles, in whole
// turns. Independent of scan lines.
double winding(const Mesh& mesh, const Vec& p) {
  double angle = 0;
  for (const auto& t : mesh.triangles) {
    const Vec a = mesh.vertices[t[0]] - p, b = mesh.vertices[t[1]] - p, c = mesh.vertices[t[2]] - p;
    const double la = length(a), lb = length(b), lc = length(c);
    angle += 2 * std::atan2(dot(a, cross(b, c)),
                            la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

void expect_scan_line_finds_winding(const std::vector<Facet>& facets) {
  const auto shape = mesh_of(facets);
  const std::int64_t solid = voxelise(*shape, 20, [&](const Vec& p, bool found) {
    // A point on the surface may have either side: some small step away must differ.
    const double w = std::round(winding(shape->mesh(), p + Vec{1e-5, 0.7e-5, 0.3e-5}));
    for (const double x : {-1e-5, 1e-5})
      for (const double y : {-1e-5, 1e-5})
        for (const double z : {-1e-5, 1e-5})
          if (std::round(winding(shape->mesh(), p + Vec{x, y, z})) != w) return;
    EXPECT_EQ(found, w != 0) << p[0] << " " << p[1] << " " << p[2];
  });
  EXPECT_GT(solid, 0);
}

TEST(GeometryMesh, ScanLineFindsWhatTheSurfaceWindsAround) {
  expect_scan_line_finds_winding(sphere_facets({10.1, 9.7, 10.3}, 7.2, 10));
  // Poles and a meridian on cell centres.
  expect_scan_line_finds_winding(sphere_facets({10.5, 10.5, 10.5}, 7, 12));
  expect_scan_line_finds_winding(torus_facets({10.5, 10.5, 10.5}, 6, 3, 12));
  expect_scan_line_finds_winding(box_facets({3.5, 4.5, 5.5}, {11.5, 12.5, 13.5}));
}

// Planes cut a closed surface in closed lines, bit for bit: the cut of a triangle begins where that
// of its neighbour ends.
TEST(GeometryMesh, PiecesOfNeighboursMeetInEveryBit) {
  const Mesh mesh = prepare_mesh(sphere_facets({10.1, 9.7, 10.3}, 7.2, 40, 0.2), "ball").mesh;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> at(3.2, 17.4);
  for (int n = 0; n < 50; ++n) {
    std::vector<std::array<double, 2>> begins, ends;
    const double z = at(random);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      if (const auto cut = cut_by_plane(mesh, static_cast<std::int32_t>(t), z)) {
        begins.push_back(cut->down);
        ends.push_back(cut->up);
      }
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    EXPECT_GT(begins.size(), 10U);
    EXPECT_EQ(begins, ends) << z;
  }
}

TEST(GeometryMesh, RotatedBoxOnCellCentres) {
  auto shape = mesh_of(box_facets({-4, -4, -4}, {4, 4, 4}));
  const ShapePtr turned = transformed(
      shape, translation({10.5, 10.5, 10.5}) * rotation({0, 0, 1}, 45) * rotation({1, 0, 0}, 45));
  const ShapePtr exact = transformed(
      make_box({0, 0, 0}, {8, 8, 8}),
      translation({10.5, 10.5, 10.5}) * rotation({0, 0, 1}, 45) * rotation({1, 0, 0}, 45));
  voxelise(*turned, 21, [&](const Vec& p, bool solid) {
    // Where small steps in all directions change nothing, the two must agree.
    bool clear = true;
    for (int a = 0; a < 3 && clear; ++a)
      for (const double step : {-1e-6, 1e-6}) {
        Vec q = p;
        q[a] += step;
        clear = clear && exact->inside(q) == exact->inside(p);
      }
    if (clear) {
      EXPECT_EQ(solid, exact->inside(p));
    }
  });
}

TEST(GeometryMesh, FacesOnCentresHoldAsManyCellsAsTheirLength) {
  // Along x both ends are solid, along y and z the upper ones.
  EXPECT_EQ(voxelise(*mesh_of(box_facets({3.5, 4.5, 5.5}, {11.5, 12.5, 13.5})), 20), 9 * 8 * 8);
  EXPECT_EQ(voxelise(*mesh_of(box_facets({3, 4, 5}, {11, 12, 13})), 20), 8 * 8 * 8);
}

TEST(GeometryMesh, VolumeOfASphere) {
  const double r = 30;
  const double cells =
      static_cast<double>(voxelise(*mesh_of(sphere_facets({32, 32, 32}, r, 100)), 64));
  EXPECT_NEAR(cells / (4.0 / 3 * std::numbers::pi * r * r * r), 1, 2e-3);
}

TEST(GeometryMesh, EntryIsWhereSideTurnsSolid) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> at(0, 20), small(-1, 1);
  for (const auto& shape : {mesh_of(sphere_facets({10, 10, 10}, 7, 24, 0.1)),
                            mesh_of(torus_facets({10.5, 10.5, 10.5}, 6, 3, 12)),
                            mesh_of(box_facets({3.5, 4.5, 5.5}, {11.5, 12.5, 13.5}))}) {
    int met = 0;
    for (int n = 0; n < 20000; ++n) {
      const Vec from{at(random), at(random), at(random)};
      const Segment s{from, from + Vec{small(random), small(random), small(random)}};
      if (shape->inside(s.from) || !shape->inside(s.to)) continue;
      const auto share = shape->first_entry(s);
      ASSERT_TRUE(share);
      EXPECT_FALSE(shape->inside(s.at(*share - 1e-7)));
      EXPECT_TRUE(shape->inside(s.at(*share + 1e-7)));
      ++met;
    }
    EXPECT_GT(met, 100);
  }
}

TEST(GeometryMesh, LinksBetweenCentresOnFacesMeetTheSurface) {
  const auto shape = mesh_of(box_facets({3.5, 3.5, 3.5}, {7.5, 7.5, 7.5}));
  // From the centre of a fluid cell on the lower face: share 0; to that of a solid cell on the
  // upper face: share 1.
  EXPECT_NEAR(*shape->first_entry({{5.5, 5.5, 3.5}, {5.5, 5.5, 4.5}}), 0, 1e-12);
  EXPECT_NEAR(*shape->first_entry({{5.5, 5.5, 8.5}, {5.5, 5.5, 7.5}}), 1, 1e-12);
  EXPECT_FALSE(shape->first_entry({{5.5, 5.5, 9.5}, {5.5, 5.5, 8.5}}));
}

TEST(GeometryMesh, ShellsThatOverlapAreAUnionAndInwardOnesAreCavities) {
  std::vector<Facet> two = box_facets({2, 2, 2}, {10, 10, 10});
  for (const Facet& f : box_facets({6, 6, 6}, {14, 14, 14})) two.push_back(f);
  EXPECT_EQ(voxelise(*mesh_of(two), 16), 2 * 512 - 64);

  std::vector<Facet> hollow = box_facets({2, 2, 2}, {12, 12, 12});
  for (const Facet& f : box_facets({4, 4, 4}, {10, 10, 10})) hollow.push_back(turned(f));
  EXPECT_EQ(voxelise(*mesh_of(hollow), 16), 1000 - 216);
  const Mesh mesh = weld(hollow);
  EXPECT_EQ(find_shells(mesh, edge_uses(mesh)).count, 2);
  EXPECT_NEAR(close_holes(mesh).volume, 1000 - 216, 1e-9);

  // A surface that is inside out as a whole is solid, too, even mirrored.
  for (Facet& f : hollow) f = turned(f);
  EXPECT_EQ(voxelise(*mesh_of(hollow), 16), 1000 - 216);
  std::vector<Facet> inverted;
  for (const Facet& f : box_facets({2, 2, 2}, {10, 10, 10})) inverted.push_back(turned(f));
  EXPECT_EQ(voxelise(*mesh_of(inverted), 16), 512);
  const auto mirrored = mesh_of(two)->moved(translation({16, 0, 0}) * scaling({-1, 1, 1}));
  EXPECT_EQ(voxelise(*mirrored, 16), 2 * 512 - 64);
}

TEST(GeometryMesh, InACombination) {
  const ShapePtr box = mesh_of(box_facets({2, 2, 2}, {14, 14, 14}));
  const ShapePtr bored = make_difference(box, {make_box({8, 8, 8}, {4, 4, 20})});
  EXPECT_EQ(voxelise(*bored, 16), 12 * 12 * 12 - 4 * 4 * 12);
  EXPECT_NEAR(*bored->first_entry({{8.5, 8.5, 8.5}, {11.5, 8.5, 8.5}}), 0.5, 1e-12);
  const Affine turn = translation({8, 8, 8}) * rotation({1, 0, 0}, 90) * translation({-8, -8, -8});
  const ShapePtr turned_bore = transformed(bored, turn);
  voxelise(*turned_bore, 16, [&](const Vec& p, bool solid) {
    EXPECT_EQ(solid, box->inside(p) && !(std::abs(p[0] - 8) < 2 && std::abs(p[2] - 8) < 2));
  });
  const ShapePtr moved = transformed(box, translation({1, 0, 0}));
  EXPECT_EQ(voxelise(*make_intersection({moved, box}), 16), 11 * 12 * 12);
}

}  // namespace
}  // namespace lbm::geometry
