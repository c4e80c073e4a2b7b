// SPDX-License-Identifier: Apache-2.0

// Bodies in the box: owners of cells, images across periodic faces, distances along links.
#include "cases/geometry/body_set.hpp"

#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "solver/lattice/velocity_sets.hpp"
#include "tests/cases/geometry/geometry_support.hpp"

namespace lbm::geometry {
namespace {

using namespace testing;
using Cells = std::array<int, 3>;

std::vector<std::uint16_t> all_planes(const BodySet& set, const Cells& n) {
  const std::size_t plane = static_cast<std::size_t>(n[0]) * n[1];
  std::vector<std::uint16_t> cells(plane * n[2], 77);
  for (int z = 0; z < n[2]; ++z) set.plane(z, std::span(cells).subspan(z * plane, plane));
  return cells;
}

TEST(GeometryBodySet, FirstBodyHoldsTheCell) {
  const BodySet set({10, 8, 6}, {false, false, false},
                    {{"a", make_box({3, 3, 3}, {2, 2, 2})}, {"b", make_box({4, 3, 3}, {4, 2, 2})}});
  const auto cells = all_planes(set, {10, 8, 6});
  for (int z = 0; z < 6; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 10; ++x) {
        const bool rows = (y == 2 || y == 3) && (z == 2 || z == 3);
        const int expected = !rows ? 0 : (x == 2 || x == 3) ? 1 : (x == 4 || x == 5) ? 2 : 0;
        EXPECT_EQ(cells[(z * 8 + y) * 10 + x], expected) << x << " " << y << " " << z;
      }
  const auto range = set.plane_range();
  EXPECT_LE(range[0], 2);
  EXPECT_GE(range[1], 4);
  EXPECT_GT(range[0], 0);
  EXPECT_LT(range[1], 6);
}

TEST(GeometryBodySet, RangeOfNothing) {
  EXPECT_EQ(BodySet({4, 4, 4}, {false, false, false}, {}).plane_range(),
            (std::array<int, 2>{0, 0}));
  const BodySet beside({4, 4, 4}, {false, false, false}, {{"a", make_sphere({20, 2, 2}, 3)}});
  EXPECT_EQ(beside.plane_range(), (std::array<int, 2>{0, 0}));
}

// A body that reappears across every face, against its 27 images.
TEST(GeometryBodySet, PeriodicImages) {
  const Cells n{12, 10, 9};
  for (const ShapePtr& shape :
       {make_sphere({0.5, 9.5, 8}, 3.5), ShapePtr(mesh_of(sphere_facets({0.5, 9.5, 8}, 3.5, 12))),
        make_capsule({-3, 5, 5}, {15, 5, 5}, 2)}) {
    const BodySet set(n, {true, true, true}, {{"a", shape}});
    const auto cells = all_planes(set, n);
    for (int z = 0; z < n[2]; ++z)
      for (int y = 0; y < n[1]; ++y)
        for (int x = 0; x < n[0]; ++x) {
          bool solid = false;
          for (int image = 0; image < 27; ++image)
            solid = solid || shape->inside({x + 0.5 + n[0] * (image % 3 - 1),
                                            y + 0.5 + n[1] * (image / 3 % 3 - 1),
                                            z + 0.5 + n[2] * (image / 9 - 1)});
          ASSERT_EQ(cells[(z * n[1] + y) * n[0] + x], solid ? 1 : 0) << x << " " << y << " " << z;
        }
  }
  const BodySet open(n, {false, false, false}, {{"a", make_sphere({0.5, 9.5, 8}, 3.5)}});
  EXPECT_EQ(all_planes(open, n)[(0 * n[1] + 9) * n[0]], 0);
}

// Every link from a fluid to a solid cell, also across periodic faces, ends where the body begins.
void expect_links_meet(const BodySet& set, const Cells& n, const ShapePtr& shape) {
  const auto cells = all_planes(set, n);
  const auto inside = [&](const Vec& p) {
    for (int image = 0; image < 27; ++image)
      if (shape->inside(p + Vec{double(n[0] * (image % 3 - 1)), double(n[1] * (image / 3 % 3 - 1)),
                                double(n[2] * (image / 9 - 1))}))
        return true;
    return false;
  };
  int links = 0;
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x)
        for (int q = 1; q < D3Q19::directions && cells[(z * n[1] + y) * n[0] + x] == 0; ++q) {
          const Cells to{x + cx(q), y + cy(q), z + cz(q)};
          Cells wrapped;
          for (int a = 0; a < 3; ++a) wrapped[a] = (to[a] + n[a]) % n[a];
          const int body = cells[(wrapped[2] * n[1] + wrapped[1]) * n[0] + wrapped[0]];
          if (body == 0) continue;
          const Segment s{{x + 0.5, y + 0.5, z + 0.5}, {to[0] + 0.5, to[1] + 0.5, to[2] + 0.5}};
          const double share = set.wall_distance(body - 1, s.from, s.to);
          ASSERT_GT(share, 0);
          ASSERT_LE(share, 1);
          EXPECT_TRUE(inside(s.at(std::min(1.0, share + 1e-7))));
          if (share > 1e-5) {
            EXPECT_FALSE(inside(s.at(share - 1e-7)));
          }
          ++links;
        }
  EXPECT_GT(links, 100);
  EXPECT_EQ(set.missed(), 0U);
}

TEST(GeometryBodySet, LinksMeetTheSurface) {
  const Cells n{24, 24, 24};
  for (const auto& [name, shape] : some_shapes()) {
    if (!std::isfinite(shape->bounds().low[0])) continue;
    SCOPED_TRACE(name);
    expect_links_meet(BodySet(n, {true, true, true}, {{name, shape}}), n, shape);
  }
  const ShapePtr mesh = mesh_of(torus_facets({20.5, 10.5, 2.5}, 6, 3, 12));
  expect_links_meet(BodySet(n, {true, true, true}, {{"torus", mesh}}), n, mesh);
}

TEST(GeometryBodySet, TheSurfaceOfAnotherBodyMayComeFirst) {
  const BodySet set(
      {20, 20, 20}, {false, false, false},
      {{"inner", make_sphere({10, 10, 10}, 4)}, {"skin", make_sphere({10, 10, 10}, 4.3)}});
  EXPECT_NEAR(set.wall_distance(0, {14.5, 10, 10}, {13.5, 10, 10}), 0.2, 1e-12);
}

TEST(GeometryBodySet, LinksFoldAtAMirror) {
  // Half a sphere at the face z = 0, mirrored there: a lens instead of a sphere.
  const ShapePtr sphere = make_sphere({10, 10, 3}, 4);
  const BodySet set({20, 20, 20}, {true, true, false}, {{"a", sphere}});
  const Vec fluid{13.5, 10.5, 0.5}, beyond{12.5, 10.5, -0.5};
  ASSERT_FALSE(sphere->inside(fluid));
  ASSERT_TRUE(sphere->inside({12.5, 10.5, 0.5}));
  const double share = set.wall_distance(0, fluid, beyond);
  const Segment way{fluid, beyond};
  const auto folded = [&](double t) {
    Vec p = way.at(t);
    p[2] = std::abs(p[2]);
    return p;
  };
  EXPECT_NEAR(sphere->side(folded(share + 1e-9)), 1, 0);
  EXPECT_NEAR(sphere->side(folded(share - 1e-9)), -1, 0);
  // The same from the mirrored cell outside the box to the solid one inside.
  EXPECT_NEAR(set.wall_distance(0, {13.5, 10.5, -0.5}, {12.5, 10.5, 0.5}), share, 1e-12);
}

TEST(GeometryBodySet, ManySmallBodies) {
  const Cells n{30, 30, 30};
  std::vector<Body> bodies;
  std::vector<ShapePtr> parts;
  for (int k = 0; k < 6; ++k)
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) {
        parts.push_back(make_sphere({5 * i + 0.3 * j, 5 * j + 0.2 * k, 5 * k + 0.4 * i}, 1.9));
        bodies.push_back({"s" + std::to_string(bodies.size()), parts.back()});
      }
  const ShapePtr all = make_union(parts);
  const BodySet many(n, {true, true, true}, bodies), one(n, {true, true, true}, {{"all", all}});
  const auto numbers = all_planes(many, n), solid = all_planes(one, n);
  for (std::size_t c = 0; c < solid.size(); ++c) ASSERT_EQ(numbers[c] != 0, solid[c] != 0) << c;
  expect_links_meet(many, n, all);
}

TEST(GeometryBodySet, NamesBodiesWithoutCells) {
  const std::array<int, 3> n{10, 10, 10};
  const BodySet set(n, {true, false, false},
                    {{"in", make_sphere({5, 5, 5}, 2)},
                     {"between centres", make_sphere({2, 2, 2}, 0.4)},
                     {"comes in again", make_sphere({25, 5, 8.5}, 1)},
                     {"hidden", make_sphere({5, 5, 5}, 1)}});
  all_planes(set, n);
  EXPECT_EQ(set.without_cells(), (std::vector<std::string>{"between centres", "hidden"}));
}

TEST(GeometryBodySet, DistancesAreNeverZero) {
  const BodySet set({10, 10, 10}, {false, false, false},
                    {{"a", mesh_of(box_facets({3.5, 3.5, 3.5}, {7.5, 7.5, 7.5}))}});
  EXPECT_EQ(set.wall_distance(0, {5.5, 5.5, 3.5}, {5.5, 5.5, 4.5}), 1e-6);
}

// Links along axes from fluid to solid cells: the sum of their slants is the area of the surface.
double area_of(const ShapePtr& shape, const Cells& n) {
  const BodySet set(n, {false, false, false}, {{"a", shape}});
  double area = 0;
  for (int z = 1; z < n[2] - 1; ++z)
    for (int y = 1; y < n[1] - 1; ++y)
      for (int x = 1; x < n[0] - 1; ++x) {
        const Vec fluid{x + 0.5, y + 0.5, z + 0.5};
        for (int q = 1; q <= 6 && !shape->inside(fluid); ++q) {
          const Vec solid = fluid + Vec{double(cx(q)), double(cy(q)), double(cz(q))};
          if (shape->inside(solid)) area += set.slant(fluid, solid);
        }
      }
  EXPECT_EQ(set.missed(), 0U);
  return area;
}

TEST(GeometryBodySet, SlantsSumUpToTheArea) {
  const Cells n{40, 40, 40};
  const double pi = std::numbers::pi;
  EXPECT_NEAR(area_of(make_sphere({20.1, 19.7, 20.4}, 12), n) / (4 * pi * 144), 1, 0.005);
  EXPECT_NEAR(area_of(mesh_of(sphere_facets({20.1, 19.7, 20.4}, 12, 24)), n) / (4 * pi * 144), 1,
              0.01);
  EXPECT_NEAR(area_of(make_box({20, 20, 20}, {20, 18, 16}), n), 2 * (360 + 320 + 288), 1e-9);
  const Affine turned = translation({20, 20, 20}) * rotation({1, 2, 3}, 33);
  const double box = area_of(transformed(make_box({0, 0, 0}, {20, 18, 16}), turned), n);
  EXPECT_NEAR(box / (2 * (360 + 320 + 288)), 1, 0.03);
}

TEST(GeometryBodySet, SlantsOfAPlaneAreThoseOfItsNormal) {
  const Vec normal = unit({1, 2, 3});
  const Affine turned =
      translation({10, 10, 10}) *
      rotation(unit(cross({0, 0, 1}, normal)), std::acos(normal[2]) * 180 / std::numbers::pi);
  const BodySet set({20, 20, 20}, {true, true, true},
                    {{"slab", transformed(make_box({0, 0, -1.3}, {16, 16, 2.6}), turned)}});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Vec fluid{10, 10, 10}, solid = fluid;
    fluid[axis] += 0.6;
    solid[axis] -= 0.4;
    EXPECT_NEAR(set.slant(fluid, solid), normal[axis], 1e-9);
  }
}

TEST(GeometryBodySet, WhatIsNoLinkIsCounted) {
  const BodySet set({10, 10, 10}, {false, false, false}, {{"a", make_sphere({5, 5, 5}, 2)}});
  EXPECT_EQ(set.wall_distance(0, {0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}), 0.5);
  EXPECT_EQ(set.missed(), 1U);
}

}  // namespace
}  // namespace lbm::geometry
