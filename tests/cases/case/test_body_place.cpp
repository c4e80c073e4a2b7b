// SPDX-License-Identifier: Apache-2.0

// Bodies in a wrong unit or at a wrong place, and those without cells.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases/case/model/case_model.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::contains;

// A cube from `low` on, with corners from number `first` on.
std::string cube(double low, double edge, int first = 1) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += fmt::format("v {} {} {}\n", low + edge * (i & 1), low + edge * (i >> 1 & 1),
                        low + edge * (i >> 2));
  }
  for (const auto& f : {std::array{0, 2, 3, 1},
                        {4, 5, 7, 6},
                        {0, 1, 5, 4},
                        {2, 6, 7, 3},
                        {0, 4, 6, 2},
                        {1, 3, 7, 5}}) {
    text += fmt::format("f {} {} {} {}\n", first + f[0], first + f[1], first + f[2], first + f[3]);
  }
  return text;
}

class BodyPlace : public ::testing::Test {
 protected:
  BodyPlace() {
    lbm::testing::write_text(scratch_.path() / "cube.obj", cube(4, 8));
    lbm::testing::write_text(scratch_.path() / "two.obj", cube(4, 8) + cube(14.6, 0.8, 9));
  }

  CaseModel model_of(const std::string& bodies, const std::string& axes) const {
    std::string faces;
    for (const char axis : axes) {
      faces += fmt::format("  {0}_min: periodic\n  {0}_max: periodic\n", axis);
    }
    Case c = parse_case("grid: {cells: [16, 16, 16]}\nfluid: {reynolds: 10}\nrun: {steps: 9}\n" +
                            (faces.empty() ? "" : "boundaries:\n" + faces) + "bodies:\n" + bodies,
                        (scratch_.path() / "c.yaml").string());
    c.lattice.representation = Representation::populations;
    validate(c);
    return make_case_model(c, derive(c));
  }
  // Expects an error for body b with these keys, in a box that is periodic along these axes.
  void expect_refused(const std::string& keys, const std::string& axes) const {
    const std::string line = test::error_of([&] { model_of("  b: {" + keys + "}\n", axes); });
    EXPECT_TRUE(contains(line, "c.yaml")) << line;
    EXPECT_TRUE(contains(line, "bodies.b")) << keys << axes << ": " << line;
    EXPECT_TRUE(contains(line, "units")) << keys << axes << ": " << line;
    EXPECT_EQ(line.find("bodies.b"), line.rfind("bodies.b")) << line;
  }
  std::vector<std::string> warnings_of(const std::string& bodies,
                                       const std::string& axes = "xyz") const {
    return model_of(bodies, axes).warnings;
  }

  lbm::testing::ScratchDirectory scratch_;
};

TEST_F(BodyPlace, AThousandTimesTooLargeIsRefusedAtOnce) {
  lbm::testing::write_text(scratch_.path() / "thin.obj",
                           "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 0.01\n"
                           "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
  for (const std::string keys :
       {"shape: surface, file: cube.obj, scale: 1000, translate: [-8000, -8000, -8000]",
        "shape: surface, file: thin.obj, scale: 1000, translate: [-1000, -1000, 0]",
        "shape: sphere, center: [8, 8, 8], radius: 4000",
        "shape: box, center: [8, 8, 8], size: [4000, 8000, 6000]",
        "shape: ellipsoid, center: [8, 8, 8], size: [4000, 8000, 6000]",
        "shape: capsule, from: [0, 0, 0], to: [4000, 6000, 8000], radius: 1000",
        "shape: cylinder, from: [0, 0, 0], to: [4000, 6000, 8000], radius: 1e200"}) {
    expect_refused(keys, "xyz");
    expect_refused(keys, "xy");
  }
}

TEST_F(BodyPlace, AThousandTimesTooSmallIsRefused) {
  for (const std::string axes : {"xyz", "z", ""}) {
    expect_refused("shape: surface, file: cube.obj, scale: 0.001, translate: [8, 8, 8]", axes);
    expect_refused("shape: sphere, center: [8, 8, 8], radius: 0.004", axes);
  }
}

TEST_F(BodyPlace, FarAwayIsRefusedAlsoInAPeriodicBox) {
  for (const std::string axes : {"xyz", "x", ""}) {
    expect_refused("shape: surface, file: cube.obj, translate: [691260, 0, 0]", axes);
    expect_refused("shape: surface, file: cube.obj, translate: [-30, 0, 0]", axes);
  }
}

TEST_F(BodyPlace, LongRodsAndPlatesStay) {
  EXPECT_TRUE(
      warnings_of("  b: {shape: cylinder, from: [8, 8, -999], to: [8, 8, 999], radius: 4}\n")
          .empty());
  for (const char* size : {"[99, 99, 4]", "[999, 999, 4]"}) {
    EXPECT_TRUE(warnings_of(fmt::format("  b: {{shape: box, center: [8, 8, 8], size: {}}}\n", size))
                    .empty());
  }
  EXPECT_TRUE(
      warnings_of("  b: {shape: surface, file: cube.obj, translate: [-4, 3, 8]}\n").empty());
  const auto warned =
      warnings_of("  b: {shape: capsule, from: [0, 0, 0], to: [20, 20, 20], radius: 1}\n");
  ASSERT_EQ(warned.size(), 1U);
  EXPECT_TRUE(contains(warned[0], "overlaps with itself")) << warned[0];
}

TEST_F(BodyPlace, WithoutACellBesideAnotherIsWarnedOf) {
  const std::string ball = "  ball: {shape: sphere, center: [8, 8, 8], radius: 4}\n";
  EXPECT_TRUE(warnings_of(ball).empty());
  for (const std::string keys :
       {"shape: sphere, center: [2, 2, 2], radius: 0.5",
        "shape: sphere, center: [8, 8, 8], radius: 2",
        "shape: box, center: [8, 8, 2], size: [9, 9, 0.4]",
        "shape: surface, file: cube.obj, scale: 0.1, translate: [0.2, 0.2, 0.2]"}) {
    for (const std::string axes : {"xyz", ""}) {
      auto warned = warnings_of(ball + "  b: {" + keys + "}\n", axes);
      std::erase_if(warned, [](const auto& line) { return contains(line, "1 cell thick"); });
      ASSERT_EQ(warned.size(), 1U) << keys;
      EXPECT_TRUE(contains(warned[0], "bodies.b: it has no cell")) << warned[0];
    }
  }
}

TEST_F(BodyPlace, ClosedPartsWithoutACellAreWarnedOf) {
  for (const std::string axes : {"xyz", ""}) {
    const auto warned = warnings_of("  b: {shape: surface, file: two.obj}\n", axes);
    ASSERT_EQ(warned.size(), 1U);
    EXPECT_TRUE(contains(warned[0], "1 of the 2 closed parts")) << warned[0];
    EXPECT_TRUE(
        warnings_of("  b: {shape: surface, file: two.obj, translate: [0.5, 0.5, 0.5]}\n", axes)
            .empty());
  }
  // Beyond a wall, and at the other side of a periodic face.
  const std::string moved = "  b: {shape: surface, file: two.obj, translate: [1.8, 0.5, 0.5]}\n";
  EXPECT_EQ(warnings_of(moved, "").size(), 1U);
  EXPECT_TRUE(warnings_of(moved, "x").empty());
}

}  // namespace
}  // namespace lbm::cases
