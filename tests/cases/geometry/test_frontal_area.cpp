// SPDX-License-Identifier: Apache-2.0

// The area that a surface turns towards a stream.
#include <gtest/gtest.h>

#include <numbers>

#include "cases/geometry/mesh_shape.hpp"
#include "cases/geometry/surface/mesh_prepare.hpp"

namespace lbm::geometry {
namespace {

Mesh spheroid() { return load_mesh(LBM_SOURCE_DIR "/cases/data/spheroid.stl").mesh; }

// 10 x 10 x 20 units; the triangles lie a little inside of it.
TEST(FrontalArea, OfASpheroidIsThatOfItsEllipse) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(frontal_area(spheroid(), 2), pi * 25, 0.02 * pi * 25);
  EXPECT_NEAR(frontal_area(spheroid(), 0), pi * 50, 0.02 * pi * 50);
  EXPECT_NEAR(frontal_area(spheroid(), 1), pi * 50, 0.02 * pi * 50);
}

// Two unit squares of one quarter in common, one behind the other.
TEST(FrontalArea, WhatHidesBehindCountsOnce) {
  Mesh mesh;
  for (const double at : {0.0, 0.5}) {
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const Vec& p :
         {Vec{at, at, at}, Vec{at + 1, at, at}, Vec{at + 1, at + 1, at}, Vec{at, at + 1, at}}) {
      mesh.vertices.push_back(p);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  }
  EXPECT_NEAR(frontal_area(mesh, 2), 1.75, 0.01);
  EXPECT_NEAR(frontal_area(mesh, 0), 0, 0.01);  // edge-on
  EXPECT_EQ(frontal_area(Mesh{}, 0), 0);
}

}  // namespace
}  // namespace lbm::geometry
