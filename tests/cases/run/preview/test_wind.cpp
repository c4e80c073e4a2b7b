// SPDX-License-Identifier: Apache-2.0

// The direction of the flow, by what the case says.
#include <gtest/gtest.h>

#include "cases/run/preview/preview.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

std::optional<Wind> wind(const std::string& more) {
  const Case lbm_case = parse_case(test::minimal + more, "c.yaml");
  return wind_of(lbm_case, derive(lbm_case));
}

void expect_direction(const std::optional<Wind>& wind, const Vec3& direction) {
  ASSERT_TRUE(wind);
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(wind->direction[a], direction[a], 1e-12) << a;
}

TEST(Wind, ComesFromAnInlet) {
  const auto along_z =
      wind("boundaries:\n  z_min: {type: velocity, velocity: [0, 0, 0.05]}\n  z_max: outflow\n");
  expect_direction(along_z, {0, 0, 1});
  EXPECT_EQ(along_z->text, "boundaries.z_min");
  expect_direction(
      wind(
          "boundaries:\n  x_max: {type: velocity, velocity: [-0.03, 0.04, 0]}\n  x_min: outflow\n"),
      {-0.6, 0.8, 0});
  expect_direction(wind("boundaries:\n  y_max: {type: velocity, velocity: [\"0\", \"-0.01*x\", "
                        "\"0\"]}\n  y_min: outflow\n"),
                   {0, -1, 0});
}

TEST(Wind, OfAnInletGoesBeforeAForce) {
  expect_direction(wind("boundaries:\n  x_min: {type: velocity, velocity: [0.05, 0, 0]}\n"
                        "  x_max: outflow\nforce: {acceleration: [0, 0, -1e-6]}\n"),
                   {1, 0, 0});
}

// A face where fluid leaves is no inlet.
TEST(Wind, OfAPatchAndOfAFaceThatTakesFluidOut) {
  const auto patch = wind(
      "boundaries:\n  z_max:\n    type: wall\n    patches:\n      jet: {type: velocity, velocity: "
      "[0, 0, -0.02], box: [2, 5, 2, 5]}\n  y_min: {type: velocity, velocity: [0, -0.01, 0]}\n"
      "  x_min: outflow\n");
  expect_direction(patch, {0, 0, -1});
  EXPECT_EQ(patch->text, "boundaries.z_max.patches.jet");
}

TEST(Wind, DoesNotComeFromAnOutletByFormulas) {
  const std::string outlet = "  z_max: {type: velocity, velocity: [0, 0, \"0.05+0.001*x\"]}\n";
  EXPECT_FALSE(wind("boundaries:\n  z_min: {type: pressure, pressure: 0}\n" + outlet));
  expect_direction(
      wind("boundaries:\n  z_min: {type: velocity, velocity: [0, 0, 0.05]}\n" + outlet), {0, 0, 1});
}

TEST(Wind, ComesFromAForceAPressureDropOrTheInitialFlow) {
  const std::string periodic = "boundaries: {x_min: periodic, x_max: periodic}\n";
  const auto force = wind(periodic + "force: {acceleration: [0, -2e-6, 0]}\n");
  expect_direction(force, {0, -1, 0});
  EXPECT_EQ(force->text, "force.acceleration");
  expect_direction(
      wind("boundaries:\n  x_min: {type: periodic, pressure_drop: 0.01}\n  x_max: periodic\n"),
      {1, 0, 0});
  expect_direction(wind("boundaries:\n  z_min: {type: pressure, pressure: 0}\n"
                        "  z_max: {type: pressure, pressure: 0.01}\n"),
                   {0, 0, -1});
  expect_direction(wind(periodic + "initial: {flow: uniform, velocity: [0.05, 0, 0]}\n"),
                   {1, 0, 0});
}

TEST(Wind, OfAClosedBoxHasNoDirection) {
  EXPECT_FALSE(wind(""));
  EXPECT_FALSE(wind("boundaries:\n  z_max: {type: wall, velocity: [0.1, 0, 0]}\n"));
}

}  // namespace
}  // namespace lbm::cases
