// SPDX-License-Identifier: Apache-2.0

// A body from an STL file to its surface.
#include "cases/geometry/surface/mesh_prepare.hpp"

#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>

#include "solver/core/error.hpp"
#include "tests/cases/geometry/geometry_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::geometry {
namespace {

using lbm::testing::message_of;

std::string text_of(const std::vector<Facet>& facets) {
  std::ostringstream text;
  text << std::setprecision(17) << "solid part\n";
  for (const Facet& f : facets) {
    text << "facet normal 0 0 0\nouter loop\n";
    for (const auto& p : f) text << "vertex " << p[0] << " " << p[1] << " " << p[2] << "\n";
    text << "endloop\nendfacet\n";
  }
  text << "endsolid part\n";
  return text.str();
}

class GeometryMeshFile : public ::testing::Test {
 protected:
  std::filesystem::path file(const std::vector<Facet>& facets) {
    lbm::testing::write_text(scratch_.path() / "part.stl", text_of(facets));
    return scratch_.path() / "part.stl";
  }
  lbm::testing::ScratchDirectory scratch_;
};

TEST_F(GeometryMeshFile, KeepsEveryBitOfTheSurface) {
  const std::vector<Facet> facets = testing::sphere_facets({0.1, 0.2, 0.3}, 0.7, 20);
  const PreparedMesh read = load_mesh(file(facets)), made = prepare_mesh(facets, "");
  EXPECT_TRUE(read.warnings.empty());
  EXPECT_EQ(read.mesh.vertices, made.mesh.vertices);
  EXPECT_EQ(read.mesh.triangles, made.mesh.triangles);
}

TEST_F(GeometryMeshFile, ErrorsAndWarningsNameTheFile) {
  std::vector<Facet> facets = testing::box_facets({0, 0, 0}, {1, 1, 1});
  facets[3] = testing::turned(facets[3]);
  const PreparedMesh prepared = load_mesh(file(facets));
  ASSERT_EQ(prepared.warnings.size(), 1U);
  EXPECT_EQ(prepared.warnings[0].rfind(file(facets).string() + ": ", 0), 0U);
  facets.pop_back();
  const std::string line = message_of<UsageError>([&] { load_mesh(file(facets)); });
  EXPECT_EQ(line.rfind(file(facets).string() + ": the surface of 11 triangles is not closed", 0),
            0U)
      << line;
}

}  // namespace
}  // namespace lbm::geometry
