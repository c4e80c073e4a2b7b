// SPDX-License-Identifier: Apache-2.0

// Bodies from files: keys, wrong uses, and what is said about open surfaces.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/model/case_model.hpp"
#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::contains;
using test::error_of;

// A cube of 4 without a lid (walls and floor), and the lid.
const std::string cube =
    "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\nv 0 0 4\nv 4 0 4\nv 4 4 4\nv 0 4 4\n"
    "g walls\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\ng floor\nf 4 3 2 1\ng lid\nf 5 6 7 8\n";

class CaseSurfaces : public ::testing::Test {
 protected:
  CaseSurfaces() { lbm::testing::write_text(scratch_.path() / "cube.obj", cube); }

  // The body with these keys, on 10^3 cells.
  Case make(const std::string& keys, const std::string& more = "") {
    Case c = parse_case("grid: {cells: [10, 10, 10]}\nfluid: {reynolds: 10}\nrun: {steps: 9}\n" +
                            more + "bodies:\n  a: {" + keys + "}\n",
                        (scratch_.path() / "c.yaml").string());
    c.lattice.representation = Representation::populations;
    return c;
  }
  // Without the warning that a cube of four cells or less is not resolved.
  CaseModel model_of(const Case& c) {
    validate(c);
    CaseModel model = make_case_model(c, derive(c));
    std::erase_if(model.warnings,
                  [](const std::string& line) { return contains(line, "cells thick, below 4"); });
    return model;
  }
  // Behind the folder.
  std::string refused(const std::string& keys) {
    const std::string line = error_of([&] { model_of(make(keys)); });
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_EQ(line.rfind(scratch_.path().string() + "/", 0), 0U) << line;
    return line.substr(std::min(line.size(), scratch_.path().string().size() + 1));
  }
  lbm::testing::ScratchDirectory scratch_;
};

// An ellipsoid of 8 x 6 x 0.7 cells. Its bounds along no axis say so, as it is turned.
TEST_F(CaseSurfaces, AThinWingIsWarnedOfByItsLocalThickness) {
  std::string wing;
  constexpr int n = 16;
  wing += "v 0 0 -0.35\n";
  for (int j = 1; j < n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      const double a = M_PI * i / n, b = M_PI * j / n;
      wing += fmt::format("v {} {} {}\n", 4 * std::sin(b) * std::cos(a),
                          3 * std::sin(b) * std::sin(a), -0.35 * std::cos(b));
    }
  }
  wing += "v 0 0 0.35\n";
  const auto at = [](int i, int j) { return 2 + (j - 1) * 2 * n + i % (2 * n); };
  for (int i = 0; i < 2 * n; ++i) {
    wing += fmt::format("f 1 {} {}\n", at(i + 1, 1), at(i, 1));
    for (int j = 1; j + 1 < n; ++j) {
      wing +=
          fmt::format("f {} {} {} {}\n", at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
    }
    wing += fmt::format("f {} {} {}\n", at(i, n - 1), at(i + 1, n - 1), at(0, n - 1) + 2 * n);
  }
  lbm::testing::write_text(scratch_.path() / "wing.obj", wing);
  const std::string turned =
      "shape: surface, rotate: [[1, 1, 0, 40]], translate: [5, 5, 5], file: ";
  const CaseModel model = model_of(make(turned + "wing.obj"));
  ASSERT_EQ(model.warnings.size(), 1U);
  EXPECT_TRUE(contains(model.warnings[0], "bodies.a: half of its surface is less than 0."))
      << model.warnings[0];
  EXPECT_TRUE(contains(model.warnings[0], "% of its surface is less than 1 cell thick"));
  EXPECT_TRUE(contains(model.warnings[0], "lbm check --preview FILE.png shows where"));
  const CaseModel thick =
      model_of(make("shape: surface, scale: 2.2, translate: [0.6, 0.6, 0.6], file: cube.obj"));
  for (const std::string& line : thick.warnings) EXPECT_FALSE(contains(line, "thick")) << line;
}

const std::string placed = "shape: surface, file: cube.obj, translate: [3, 3, 3]";
const std::string open_walls = placed + ", solids: [walls, floor]";

TEST_F(CaseSurfaces, KeysAreReadAndWritten) {
  const Case c = make(placed +
                      ", solids: [\"the hull\", keel], open: shell, thickness: 2, "
                      "merge_tolerance: 0.25");
  const Case again = parse_case(to_yaml(c), "c.yaml");
  for (const Body& body : {c.bodies[0], again.bodies[0]}) {
    EXPECT_EQ(body.shape, BodyShape::surface);
    EXPECT_EQ(body.solids, (std::vector<std::string>{"the hull", "keel"}));
    EXPECT_EQ(body.open, geometry::OpenSurface::shell);
    EXPECT_EQ(body.thickness, 2);
    EXPECT_EQ(body.merge_tolerance, 0.25);
  }
}

TEST_F(CaseSurfaces, ClosedOnesAreAsEver) {
  for (const char* shape : {"surface", "stl"}) {
    const CaseModel model =
        model_of(make("shape: " + std::string(shape) + ", file: cube.obj, translate: [3, 3, 3]"));
    EXPECT_EQ(model.boundaries.solid_cells(), 64);
    EXPECT_TRUE(model.warnings.empty());
    ASSERT_EQ(model.surfaces.size(), 1U);
    EXPECT_TRUE(model.surfaces[0].closed);
    EXPECT_EQ(model.surfaces[0].triangles, 12);
    EXPECT_NEAR(model.surfaces[0].volume, 64, 1e-9);
  }
}

TEST_F(CaseSurfaces, AFilledOneSaysWhatWasClosed) {
  const CaseModel model = model_of(make(open_walls + ", open: fill"));
  EXPECT_EQ(model.boundaries.solid_cells(), 64);
  ASSERT_EQ(model.warnings.size(), 1U);
  EXPECT_EQ(model.warnings[0],
            scratch_.path().string() +
                "/c.yaml:5: bodies.a.open: the surface is not closed: 4 open edges in 1 hole, 16 "
                "cells around, 16 cells^2: filled, 64 cells^3 are solid");
  const io::Json json = surfaces_json(model.surfaces).at(0);
  EXPECT_EQ(json["body"], "a");
  EXPECT_EQ(json["open"], "fill");
  EXPECT_EQ(json["closed"], false);
  EXPECT_EQ(json["open_edges"], 4);
  EXPECT_EQ(json["holes"], 1);
  EXPECT_NEAR(json["hole_length"], 16, 1e-9);
  EXPECT_NEAR(json["hole_area"], 16, 1e-9);
  EXPECT_NEAR(json["volume"], 64, 1e-6);
  EXPECT_TRUE(json["thickness"].is_null());
}

TEST_F(CaseSurfaces, AShellHasItsThicknessInUnitsOfTheCase) {
  const CaseModel model = model_of(make(open_walls + ", open: shell"));
  EXPECT_EQ(model.surfaces[0].thickness, 1.5);
  EXPECT_TRUE(contains(model.warnings.at(0), "16 cells^2: a shell 1.5 cells thick"));
  // Centres within 0.75 of the sheets, layer by layer: below the floor without its corners, above
  // it, up the walls, above their rim without its outer corners.
  EXPECT_EQ(model.boundaries.solid_cells(), 32 + 36 + 3 * 32 + 28);
}

TEST_F(CaseSurfaces, LengthsFollowUnitsAndScale) {
  Case c = parse_case(
      "units: si\ngrid: {size: [1, 1, 1], spacing: 0.1}\n"
      "fluid: {length: 1, velocity: 1, viscosity: 0.1, density: 1}\nrun: {time: 1}\n"
      "bodies:\n  a: {shape: surface, file: cube.obj, scale: 0.1, translate: [0.3, 0.3, 0.3], "
      "solids: [walls, floor], open: fill}\n",
      (scratch_.path() / "c.yaml").string());
  c.lattice.representation = Representation::populations;
  const CaseModel model = model_of(c);
  EXPECT_EQ(model.boundaries.solid_cells(), 64);
  EXPECT_TRUE(
      contains(model.warnings.at(0), "1.6 m around, 0.16 m^2: filled, 0.064 m^3 are solid"));
}

TEST_F(CaseSurfaces, ScaleHasAFactorForEachAxis) {
  const std::string file = "shape: surface, file: cube.obj, ";
  for (const char* factors : {"scale: [1, 0.5, 1.25], translate: [3, 3, 3]",
                              "scale: [-1, 0.5, 1.25], translate: [7, 3, 3]",
                              "scale: [-1, -0.5, -1.25], translate: [7, 5, 8]"}) {
    SCOPED_TRACE(factors);
    const Case c = make(file + factors);
    EXPECT_EQ(parse_case(to_yaml(c), "c.yaml").bodies[0].scale, c.bodies[0].scale);
    const CaseModel model = model_of(c);
    EXPECT_EQ(model.boundaries.solid_cells(), 4 * 2 * 5);
    EXPECT_TRUE(model.warnings.empty());
    EXPECT_NEAR(model.surfaces[0].volume, 40, 1e-9);
    // Without its lid: the same cells, and a hole of 4 by 2.
    const CaseModel open = model_of(make(file + factors + ", solids: [walls, floor], open: fill"));
    EXPECT_EQ(open.boundaries.solid_cells(), 4 * 2 * 5);
    EXPECT_NEAR(open.surfaces[0].holes.length, 12, 1e-9);
    EXPECT_NEAR(open.surfaces[0].holes.area, 8, 1e-9);
    EXPECT_NEAR(open.surfaces[0].volume, 40, 1e-6);
  }
  EXPECT_EQ(make(placed + ", scale: 0.5").bodies[0].scale, (Vec3{0.5, 0.5, 0.5}));
  EXPECT_TRUE(contains(to_yaml(make(placed + ", scale: [2, 2, 2]")), "scale: 2\n"));
  for (const char* wrong : {"0", "-1", "[1, 2]", "[1, 0, 1]", "[1, 1, x]"}) {
    EXPECT_TRUE(contains(error_of([&] { make(placed + ", scale: " + std::string(wrong)); }),
                         "must be a number or list of three numbers such as 0.001 or [1, -1, 0.5]"))
        << wrong;
  }
}

TEST_F(CaseSurfaces, EachWrongUseIsOneLine) {
  EXPECT_TRUE(contains(refused(open_walls),
                       "cube.obj: the surface of 10 triangles is not closed: it "
                       "has 4 open edges; close it in the program"));
  EXPECT_TRUE(contains(refused(open_walls), "or set open: fill or open: shell"));
  EXPECT_TRUE(contains(refused(placed + ", solids: [wall]"),
                       "found no solid named wall; the solids of the file are: walls, floor, lid"));
  EXPECT_EQ(
      refused("shape: sphere, center: [5, 5, 5], radius: 2, open: fill"),
      "c.yaml:5: bodies.a.open: conflicts with shape: sphere, requires shape: surface or stl: "
      "change that or remove this key");
  EXPECT_TRUE(contains(refused("shape: sphere, center: [5, 5, 5], radius: 2, solids: [a]"),
                       "bodies.a.solids: conflicts with shape"));
  EXPECT_TRUE(contains(refused("shape: sphere, center: [5, 5, 5], radius: 2, merge_tolerance: 1"),
                       "bodies.a.merge_tolerance: conflicts with shape"));
  EXPECT_TRUE(
      contains(refused(placed + ", open: fill, thickness: 2"),
               "c.yaml:5: bodies.a.thickness: conflicts with open: fill, requires open: shell"));
  EXPECT_TRUE(
      contains(refused(placed + ", open: shell, thickness: 1.4"),
               "c.yaml:5: bodies.a.thickness: found 1.4, which is 1.4 cells, must be 1.41422 "
               "or more (1.41422 cells): fluid would pass"));
  EXPECT_TRUE(
      contains(refused(placed + ", open: maybe"), "bodies.a.open: found \"maybe\", must be"));
  EXPECT_TRUE(contains(refused(placed + ", solids: []"), "bodies.a.solids: found"));
  EXPECT_TRUE(contains(refused(placed + ", merge_tolerance: -1"), "must be a number >= 0"));
  EXPECT_TRUE(contains(refused(open_walls + ", merge_tolerance: 3"),
                       "cube.obj: merge_tolerance: found 3, must be at most 2, in the units of the "
                       "file"));
}

// One reading for the same choice, another for another.
TEST_F(CaseSurfaces, BodiesOfOneFileDiffer) {
  const Case c = make(placed, "");
  Case two = c;
  two.bodies.push_back(c.bodies[0]);
  two.bodies[1].name = "b";
  two.bodies[1].solids = {"walls", "floor"};
  two.bodies[1].open = geometry::OpenSurface::shell;
  const CaseModel model = model_of(two);
  ASSERT_EQ(model.surfaces.size(), 2U);
  EXPECT_TRUE(model.surfaces[0].closed);
  EXPECT_FALSE(model.surfaces[1].closed);
  EXPECT_EQ(model.warnings.size(), 1U);
}

}  // namespace
}  // namespace lbm::cases
