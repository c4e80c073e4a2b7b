// SPDX-License-Identifier: Apache-2.0

// Values that no run bears: what they imply on the lattice is compared with its limits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>

#include "cases/case/model/case_model.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using lbm::testing::contains;
using test::error_of;

const std::string base =
    "grid: {cells: [12, 12, 12]}\nfluid: {reynolds: 20, lattice_velocity: 0.05}\nrun: {steps: "
    "20}\n";

Case of(const std::string& more) { return parse_case(base + more, "c.yaml"); }

// {} in the text stands for the value.
void expect_bounded(const std::string& key, const std::string& text) {
  for (const char* value : {"1e4", "1e30", "1e300", "-1e4", "-1e300"}) {
    const Case c = of(fmt::format(fmt::runtime(text), value));
    EXPECT_TRUE(contains(error_of([&] { validate(c); }), key)) << key << value;
  }
  const Case c = of(fmt::format(fmt::runtime(text), "0.01"));
  EXPECT_NO_THROW(validate(c)) << text;
  EXPECT_TRUE(warnings(c, derive(c)).empty()) << warnings(c, derive(c))[0];
}

// Formulas of the velocity alone leave the density at 1, which a narrow run.density_range allows.
TEST(Extremes, VelocitiesAloneDoNotChangeTheDensity) {
  const std::string flow =
      "boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic, z_min: "
      "periodic, z_max: periodic}\n"
      "initial: {flow: formula, velocity: ['U*sin(2*pi*z/lz)', 0, 0]}\n";
  Case c = of(flow);
  c.run.density_range = {0.9, 1.1};
  EXPECT_NO_THROW(make_case_model(c, validate(c)));
  c.initial.pressure = "100";
  const std::string line = error_of([&] { validate(c); });
  EXPECT_TRUE(contains(line, "initial.pressure") && contains(line, "run.density_range")) << line;
}

TEST(Extremes, PressuresAndForcesThatNoRunBearsAreRefused) {
  expect_bounded("boundaries.x_min.pressure",
                 "boundaries: {{x_min: {{type: pressure, pressure: {}}}, x_max: outflow}}\n");
  expect_bounded("boundaries.x_max.pressure",
                 "boundaries: {{x_min: {{type: velocity, velocity: [1, 0, 0]}}, x_max: {{type: "
                 "outflow, pressure: {}}}}}\n");
  expect_bounded("boundaries.x_min.pressure_drop",
                 "boundaries: {{x_min: {{type: periodic, pressure_drop: {}}}, x_max: periodic}}\n");
  expect_bounded("force.acceleration", "force: {{acceleration: [0, {}, 0]}}\n");
  expect_bounded("force.amplitude", "force: {{amplitude: [{}, 0, 0], period: 4}}\n");
  expect_bounded("force.acceleration", "force: {{acceleration: [\"{}*cos(t)\", 0, 0]}}\n");
}

TEST(Extremes, CompressionIsWarnedOf) {
  for (const std::string text :
       {"boundaries: {x_min: {type: pressure, pressure: 40}, x_max: outflow}\n",
        "boundaries: {x_min: {type: periodic, pressure_drop: 40}, x_max: periodic}\n",
        "force: {acceleration: [0, 100, 0]}\n"}) {
    const auto found = test::warnings_of(of(text));
    ASSERT_FALSE(found.empty()) << text;
    EXPECT_TRUE(contains(found.back(), "changes the density")) << found.back();
  }
  EXPECT_TRUE(test::warnings_of(of("force: {acceleration: [0, 1, 0]}\n")).empty());
}

TEST(Extremes, RegionsHoldACellCentre) {
  const std::string kinds[] = {"quantities: {{a: {{kind: solid_cells, {}}}}}\n",
                               "outputs: {{a: {{fields: [velocity], at_end: true, {}}}}}\n",
                               "statistics: {{a: {{every_steps: 2, {}}}}}\n"};
  for (const std::string& kind : kinds) {
    const auto region = [&](const std::string& box) {
      return of(fmt::format(fmt::runtime(kind), box));
    };
    for (const char* box : {"box_from: [2.6, 0, 0], box_to: [3.2, 4, 4]",
                            "box_from: [0, 0, 11.6], box_to: [4, 4, 12]",
                            "box_from: [0, 0, 0], box_to: [4, 0.4, 4]"}) {
      const Case c = region(box);
      EXPECT_TRUE(contains(error_of([&] { validate(c); }), "a.box_to")) << kind << box;
    }
    EXPECT_NO_THROW(validate(region("box_from: [2.6, 0, 0], box_to: [3.5, 4, 4]")));
    EXPECT_NO_THROW(validate(region("box_from: [3, 0, 0], box_to: [4, 4, 4]")));
  }
}

TEST(Extremes, IntervalsAreAStepAtLeast) {
  for (const char* item : {"pictures: {{a: {{slice: z, every_time: {}}}}}\n",
                           "outputs: {{a: {{fields: [velocity], every_time: {}}}}}\n"}) {
    for (const char* time : {"1e-300", "1e-9", "0.004"}) {
      const Case c = of(fmt::format(fmt::runtime(item), time));
      EXPECT_TRUE(contains(error_of([&] { validate(c); }), "a.every_time: found")) << time;
    }
    EXPECT_NO_THROW(validate(of(fmt::format(fmt::runtime(item), 1 / 240.0))));
  }
}

std::string refusal_of(const Case& c) {
  try {
    check_case(c, TimeLimit());
  } catch (const ResourceError& error) {
    return error.what();
  }
  return "";
}

TEST(Extremes, PicturesTakePartInTheMemoryOfTheCase) {
  const auto pictures = [](int count, const char* kind) {
    std::string text = "host: {memory_limit: 2GiB}\npictures:\n";
    for (int i = 0; i < count; ++i) {
      text += fmt::format("  p{}: {{{}, size: [4096, 4096]}}\n", i, kind);
    }
    return of(text);
  };
  const char* const surface = "surface: speed, value: 0.1, every_steps: 1";
  const auto bytes = [](const Case& c) { return pictures_bytes(c, derive(c)); };
  EXPECT_GT(bytes(pictures(8, surface)), 7 * bytes(pictures(1, surface)) / 2);
  EXPECT_EQ(refusal_of(pictures(1, surface)), "");
  EXPECT_EQ(refusal_of(pictures(300, "slice: z")), "");
  const std::string refusal = refusal_of(pictures(2000, surface));
  EXPECT_TRUE(contains(refusal, "pictures: found 2000")) << refusal;
  EXPECT_TRUE(contains(refusal, "fewer")) << refusal;
}

// The way through 512 million cells of pores took a quarter of a minute.
TEST(Extremes, AnImageThatIsRefinedTooMuchIsRefusedAtOnce) {
  const lbm::testing::ScratchDirectory scratch;
  lbm::testing::write_text(scratch.path() / "a.raw",
                           std::string(256, '\0') + std::string(256, '\1'));
  for (const std::string change : {"refine: 100", "repeat: [100, 100, 100]"}) {
    const Case c = parse_case(
        "bodies: {r: {shape: voxels, file: a.raw, cells: [8, 8, 8], type: uint8, fluid: [0], " +
            change +
            "}}\nfluid: {tau: 0.8, length: 8}\nrun: {steps: 5}\nhost: {memory_limit: 1GiB}\n",
        (scratch.path() / "c.yaml").string());
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(contains(refusal_of(c), "[800, 800, 800]"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
  }
}

}  // namespace
}  // namespace lbm::cases
