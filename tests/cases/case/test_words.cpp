// SPDX-License-Identifier: Apache-2.0

// Messages about characters that look like others, about many bodies, and about thin bodies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cases/case/case_location.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::contains;

const std::string base =
    "grid: {cells: [40, 40, 40]}\nfluid: {reynolds: 20, lattice_velocity: 0.05}\nrun: {steps: "
    "20}\n";

TEST(Words, NameTheCharacterThatLooksLikeAnother) {
  const std::string wall = base + "boundaries:\n  z_max: {type: wall, velocity: ";
  for (const auto& [text, name] :
       {std::pair<std::string, const char*>{wall + "[\u22121, 0, 0]}\n", "U+2212"},
        {wall + "[\u20131, 0, 0]}\n", "U+2013"},
        {wall + "[1,\u00a00, 0]}\n", "U+00A0"},
        {base + "boundaries:\n\u00a0 z_max: wall\n", "U+00A0"},
        {"grid: {cells: [8, 8, 8]}\nfluid:\n  reynolds:\u00a020\nrun: {steps: 2}\n", "U+00A0"},
        {base + "name: \u201ca\u201d\n", "U+201C"}}) {
    EXPECT_TRUE(contains(test::parse_error(text), name)) << test::parse_error(text);
  }
  EXPECT_TRUE(contains(test::parse_error(base, {"fluid.reynolds=\u22125"}), "U+2212"));
  // In comments they may stand.
  EXPECT_FALSE(contains(test::parse_error(base + "name: [1]  # 3 \u2212 2\n"), "U+2212"));
  EXPECT_NO_THROW(parse_case(base + "# caf\u00a0 \u2212\n", "c.yaml"));
}

TEST(Words, TellOfPathsOfWindowsInDoubleQuotes) {
  for (const char* path : {R"("C:\Users\x.stl")", R"("C:\data\x.stl")", R"("C:\new\test.stl")"}) {
    const std::string line = test::parse_error(
        base + fmt::format("bodies: {{b: {{shape: surface, file: {}}}}}\n", path));
    EXPECT_TRUE(contains(line, "single quotes")) << line;
  }
}

std::vector<std::string> warnings_of(const std::string& more) {
  return test::warnings_of(parse_case(base + more, "c.yaml"));
}

TEST(Words, ManyBodiesHaveOneLineOfAKind) {
  std::string bodies = "bodies:\n";
  for (int i = 0; i < 64; ++i) {
    bodies +=
        fmt::format("  b{}: {{shape: sphere, center: [{}, {}, {}], radius: {}}}\n", i,
                    10 + 6 * (i % 4), 10 + 6 * (i / 4 % 4), 10 + 6 * (i / 16), 1.2 + 0.01 * i);
  }
  const auto found = warnings_of(bodies);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(contains(found[0], "bodies.b0: its smallest extent")) << found[0];
  EXPECT_TRUE(contains(found[0], "63 other bodies: b1, b2")) << found[0];
}

TEST(Words, FewOrOtherLinesStay) {
  const std::vector<std::string> lines{"c.yaml:1: bodies.a: 1 cell",
                                       "note",
                                       "note",
                                       "note",
                                       "note",
                                       "c.yaml:2: bodies.b: 2 cell",
                                       "c.yaml:3: bodies.c.of: 1 cell",
                                       "c.yaml:4: bodies.d: 2 cell"};
  EXPECT_EQ(join_alike(lines), lines);
}

TEST(Words, SayWhetherAThinPlateIsTight) {
  const auto plate = [](const char* size, const char* rotate) {
    const auto found = warnings_of(
        fmt::format("bodies: {{b: {{shape: box, center: [0, 0, 0], size: {}, rotate: [{}], "
                    "translate: [20, 20, 20]}}}}\n",
                    size, rotate));
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? "" : found[0];
  };
  // Flow rates past such plates, in a channel that they close: 1.5e-4 and 4e-5 for the leaking ones
  // at 45 and 20 degrees, below 6e-7 for the tight ones.
  const char* const leaks = "fluid may pass";
  EXPECT_TRUE(contains(plate("[20, 20, 1]", "[1, 0, 0, 45]"), leaks));
  EXPECT_TRUE(contains(plate("[20, 1.2, 20]", "[0, 0, 1, 20]"), leaks));
  EXPECT_TRUE(contains(plate("[20, 20, 0.8]", "[1, 0, 0, 90]"), leaks));
  for (const std::string& tight :
       {plate("[20, 20, 1]", "[1, 0, 0, 90]"), plate("[20, 20, 1.5]", "[1, 0, 0, 45]"),
        plate("[1, 20, 20]", "[1, 0, 0, 30]")}) {
    EXPECT_TRUE(contains(tight, "no fluid passes")) << tight;
  }
  const auto ball = warnings_of("bodies: {b: {shape: sphere, center: [20, 20, 20], radius: 3}}\n");
  ASSERT_EQ(ball.size(), 1U);
  EXPECT_FALSE(contains(ball[0], "passes")) << ball[0];
}

TEST(Words, WallsOfPipesMeetTheirInlet) {
  const std::string stream =
      "boundaries: {x_min: {type: velocity, velocity: [1, 0, 0]}, x_max: outflow}\n";
  EXPECT_TRUE(warnings_of(stream +
                          "bodies:\n"
                          "  block: {shape: box, center: [20, 20, 20], size: [40, 40, 40], solid: "
                          "false}\n"
                          "  bore: {shape: cylinder, from: [-5, 20, 20], to: [50, 20, 20], radius: "
                          "12, solid: false}\n"
                          "  pipe: {shape: difference, of: [block, bore]}\n")
                  .empty());
  EXPECT_EQ(
      warnings_of(stream + "bodies: {b: {shape: box, center: [16, 20, 20], size: [28, 9, 9]}}\n")
          .size(),
      1U);  // two cells from the inlet
  EXPECT_EQ(
      warnings_of(stream + "bodies: {b: {shape: sphere, center: [0, 20, 20], radius: 6}}\n").size(),
      1U);
}

}  // namespace
}  // namespace lbm::cases
