// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces: errors found, repaired and refused.
#include <gtest/gtest.h>

#include "solver/core/error.hpp"
#include "tests/cases/geometry/geometry_voxelise.hpp"

namespace lbm::geometry {
namespace {

using namespace testing;

TEST(GeometryMeshPrepare, ReportCounts) {
  std::vector<Facet> facets = box_facets({0, 0, 0}, {2, 2, 2});
  const MeshReport good = check_mesh(weld(facets));
  EXPECT_EQ(good.triangles, 12);
  EXPECT_EQ(find_shells(weld(facets), edge_uses(weld(facets))).count, 1);
  EXPECT_NEAR(close_holes(weld(facets)).volume, 8, 1e-12);
  EXPECT_EQ(good.open_edges + good.odd_edges, 0);

  facets.erase(facets.begin());
  EXPECT_EQ(check_mesh(weld(facets)).open_edges, 3);
  facets.push_back({facets[1][0], facets[1][1], {9, 9, 9}});
  EXPECT_EQ(check_mesh(weld(facets)).odd_edges, 1);
}

TEST(GeometryMeshPrepare, TurnedAndFlatTrianglesAreRepairedWithAWarning) {
  std::vector<Facet> facets = sphere_facets({10, 10, 10}, 7, 10);
  const std::int64_t whole = voxelise(*mesh_of(facets), 20);
  for (std::size_t n = 0; n < facets.size(); n += 3) facets[n] = turned(facets[n]);
  const std::size_t count = (facets.size() + 2) / 3;
  facets.push_back({facets[0][0], facets[0][1], facets[0][1]});
  const PreparedMesh prepared = prepare_mesh(facets, "ball.stl");
  ASSERT_EQ(prepared.warnings.size(), 2U);
  EXPECT_EQ(prepared.warnings[0], "ball.stl: 1 triangles with two equal corners dropped");
  EXPECT_EQ(prepared.warnings[1],
            "ball.stl: " + std::to_string(count) +
                " triangles were oriented against their neighbours and have been turned");
  EXPECT_TRUE(border_of(prepared.mesh).empty());
  EXPECT_GT(prepared.volume, 0);
  EXPECT_EQ(voxelise(MeshShape(prepared.mesh), 20), whole);
}

TEST(GeometryMeshPrepare, NearlyEqualCornersAreWeldedWithAWarning) {
  std::vector<Facet> facets = box_facets({-4, -4, -4}, {4, 4, 4});
  facets[3][1][0] = std::nextafter(facets[3][1][0], 100.0F);
  EXPECT_GT(check_mesh(weld(facets)).open_edges, 0);
  const PreparedMesh prepared = prepare_mesh(facets, "box.stl");
  ASSERT_EQ(prepared.warnings.size(), 1U);
  EXPECT_NE(prepared.warnings[0].find("open edges closed by joining vertices"), std::string::npos);
  EXPECT_EQ(check_mesh(prepared.mesh).open_edges, 0);
}

// Its bounds alone would allow gaps larger than the box.
TEST(GeometryMeshPrepare, AStrayCornerIsNotClosed) {
  for (const float far : {1e9F, 3e38F}) {
    std::vector<Facet> facets = box_facets({-4, -4, -4}, {4, 4, 4});
    facets[3][1][0] = far;
    std::string line;
    try {
      prepare_mesh(facets, "box.stl");
    } catch (const UsageError& error) {
      line = error.what();
    }
    EXPECT_NE(line.find("corners far away from the others"), std::string::npos) << line;
    EXPECT_NE(line.find("half of its edges are shorter than 8"), std::string::npos) << line;
  }
}

TEST(GeometryMeshPrepare, ShellsThatAreInsideOutByMistakeAreTurned) {
  // Otherwise overlapping shells would cancel each other.
  std::vector<Facet> facets = box_facets({2, 2, 2}, {10, 10, 10});
  for (const Facet& f : box_facets({9, 9, 9}, {14, 14, 14})) facets.push_back(turned(f));
  for (const Facet& f : box_facets({4, 4, 4}, {6, 6, 6})) facets.push_back(turned(f));
  const PreparedMesh prepared = prepare_mesh(facets, "pile.stl");
  ASSERT_EQ(prepared.warnings.size(), 1U);
  EXPECT_EQ(prepared.warnings[0],
            "pile.stl: 1 of its 3 shells were inside out, in no other one, and have been turned");
  EXPECT_EQ(voxelise(MeshShape(prepared.mesh), 16), 512 + 125 - 1 - 8);
}

TEST(GeometryMeshPrepare, ATurnedTriangleOfACavityIsRepairedAsACavity) {
  std::vector<Facet> facets = box_facets({2, 2, 2}, {12, 12, 12});
  for (const Facet& f : box_facets({4, 4, 4}, {10, 10, 10})) facets.push_back(turned(f));
  facets[13] = turned(facets[13]);
  EXPECT_EQ(voxelise(*mesh_of(facets), 16), 1000 - 216);
}

TEST(GeometryMeshPrepare, BoxesThatShareAnEdge) {
  std::vector<Facet> facets = box_facets({2, 2, 2}, {6, 6, 6});
  for (const Facet& f : box_facets({6, 6, 2}, {9, 9, 6})) facets.push_back(f);
  const PreparedMesh prepared = prepare_mesh(facets, "two.stl");
  EXPECT_TRUE(prepared.warnings.empty());
  EXPECT_EQ(voxelise(MeshShape(prepared.mesh), 12), 64 + 36);
}

// However the boxes are cut into triangles, and whichever of them is inside out.
TEST(GeometryMeshPrepare, BoxesThatShareAFace) {
  const auto boxes = [](const std::vector<std::array<float, 6>>& all, int inside_out,
                        bool other_cut) {
    std::vector<Facet> facets;
    int number = 0;
    for (const auto& [x0, y0, z0, x1, y1, z1] : all) {
      std::vector<Facet> box = box_facets({x0, y0, z0}, {x1, y1, z1});
      if (other_cut && number % 2 == 1) {  // the mirror image, cut along the other diagonals
        for (Facet& f : box) {
          for (auto& corner : f) corner[1] = y0 + y1 - corner[1];
          f = turned(f);
        }
      }
      for (const Facet& f : box) facets.push_back(number == inside_out ? turned(f) : f);
      ++number;
    }
    return facets;
  };
  for (const bool other_cut : {false, true}) {
    for (const int inside_out : {-1, 0, 1}) {
      const PreparedMesh two =
          prepare_mesh(boxes({{2, 2, 2, 6, 6, 6}, {6, 2, 2, 9, 6, 6}}, inside_out, other_cut), "b");
      EXPECT_TRUE(two.closed);
      EXPECT_EQ(voxelise(MeshShape(two.mesh), 12), 7 * 16) << other_cut << inside_out;
      EXPECT_EQ(two.warnings.empty(), inside_out < 0);
    }
    const PreparedMesh row = prepare_mesh(
        boxes({{1, 2, 2, 4, 6, 6}, {4, 2, 2, 6, 6, 6}, {6, 2, 2, 9, 6, 6}, {9, 2, 2, 11, 6, 6}}, -1,
              other_cut),
        "b");
    EXPECT_EQ(voxelise(MeshShape(row.mesh), 12), 10 * 16);
    const PreparedMesh four = prepare_mesh(
        boxes({{2, 2, 2, 6, 6, 6}, {6, 2, 2, 9, 6, 6}, {6, 6, 2, 9, 8, 6}, {2, 6, 2, 6, 8, 6}}, -1,
              other_cut),
        "b");
    EXPECT_EQ(voxelise(MeshShape(four.mesh), 12), 7 * 6 * 4);
  }
}

std::string error_of(const std::vector<Facet>& facets) {
  try {
    prepare_mesh(facets, "part.stl");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(GeometryMeshPrepare, BrokenSurfacesAreSaidInOneLine) {
  EXPECT_EQ(error_of({}),
            "part.stl: no triangles; export the body again as a surface of triangles");

  std::vector<Facet> facets = box_facets({0, 0, 0}, {2, 2, 2});
  facets[4][1][2] = NAN;
  EXPECT_EQ(
      error_of(facets),
      "part.stl: 1 of the coordinates are not finite (NaN or infinity); export the body again");

  facets = box_facets({0, 0, 0}, {2, 2, 2});
  facets.pop_back();
  EXPECT_EQ(error_of(facets),
            "part.stl: the surface of 11 triangles is not closed: it has 3 open edges; close it in "
            "the program that made it (fill holes, remove inner walls), so that every edge belongs "
            "to two triangles, or set open: fill or open: shell");

  // A fin on an edge of a box: three triangles there, and two open edges.
  facets = box_facets({0, 0, 0}, {2, 2, 2});
  facets.push_back({facets[0][0], facets[0][1], {9, 9, 9}});
  EXPECT_NE(error_of(facets).find("2 open edges and 1 edges of an odd number"), std::string::npos);

  // A Klein bottle: closed but not orientable. Its corners may be any distinct points.
  const int n = 6;
  const auto corner = [&](int i, int j) -> std::array<float, 3> {
    if (i >= n) j = n - j;
    const int id = i % n * n + (j + n) % n;
    return {float(id), float(id * id % 37), float(id % 5)};
  };
  facets.clear();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      facets.push_back({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
      facets.push_back({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  EXPECT_NE(error_of(facets).find("the surface has no outside"), std::string::npos)
      << error_of(facets);

  const Facet flat{{{1, 1, 1}, {1, 1, 1}, {2, 2, 2}}};
  EXPECT_NE(error_of({flat, flat}).find("all 2 triangles have two equal corners"),
            std::string::npos);
}

}  // namespace
}  // namespace lbm::geometry
