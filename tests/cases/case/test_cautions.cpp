// SPDX-License-Identifier: Apache-2.0

// Cautions about the results of a stable run: the Reynolds number is not the target, walls are not
// resolved, the body blocks the tunnel.
#include "cases/case/validate/validate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using Sets = std::vector<std::string>;

const std::string tunnel =
    "grid: {cells: [80, 2, 160]}\n"
    "boundaries: {x_min: slip, x_max: slip, y_min: periodic, y_max: periodic,\n"
    "  z_min: {type: velocity, velocity: [0, 0, 1]}, z_max: outflow}\n"
    "bodies:\n"
    "  rod: {shape: cylinder, from: [40, -10, 40], to: [40, 12, 40], radius: 5, "
    "reference_area: 20}\n"
    "fluid: {length: 10, reynolds: 40, lattice_velocity: 0.05}\n"
    "lattice: {collision: trt}\n"
    "run: {steps: 10}\n";

Case of(const std::string& text, const Sets& sets = {}) { return parse_case(text, "c.yaml", sets); }

std::string brief(const std::string& text, const Sets& sets = {}) {
  const Case lbm_case = of(text, sets);
  return brief_caution(lbm_case, derive(lbm_case));
}

std::string warned(const std::string& text, const Sets& sets = {}) {
  std::string all;
  for (const std::string& line : test::warnings_of(of(text, sets))) all += line + "\n";
  return all;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Cautions, TheTargetStandsBesideTheReynoldsNumberThatIsComputed) {
  EXPECT_EQ(brief(tunnel), "");
  EXPECT_EQ(brief(tunnel, {"fluid.target_reynolds=40.3"}), "");  // within 1 %
  EXPECT_EQ(brief(tunnel, {"fluid.target_reynolds=5.3e6"}), "at Re 40, target 5.3e+06");
  EXPECT_EQ(brief(tunnel, {"fluid.target_reynolds=20"}), "at Re 40, target 20");
  EXPECT_TRUE(has(warned(tunnel, {"fluid.target_reynolds=5.3e6"}), "fluid.target_reynolds: "));
  const Case meant = of(tunnel, {"fluid.target_reynolds=5.3e6"});
  EXPECT_EQ(reynolds_text(meant, derive(meant)), "40 (target 5.3e+06)");
  EXPECT_EQ(derive(meant).reynolds, 40);
}

TEST(Cautions, WallsOfBodiesThatTheGridDoesNotResolve) {
  EXPECT_FALSE(has(brief(tunnel, {"fluid.reynolds=250"}), "walls not resolved"));
  // 5 x 10 / sqrt(1000) cells.
  EXPECT_TRUE(has(brief(tunnel, {"fluid.reynolds=1000"}), "is about 1.6 cells thick"));
  const std::string fast = brief(tunnel, {"fluid.reynolds=5.3e6", "fluid.tau=null"});
  EXPECT_TRUE(has(fast, "walls not resolved: a cell is about 1.9e+04 wall units")) << fast;
  EXPECT_EQ(brief(tunnel, {"fluid.reynolds=5.3e6", "bodies=null"}), "");
}

// A channel of 48 cells between two walls, at friction Reynolds number 180 if a cell is 7.5 wall
// units.
TEST(Cautions, ATurbulentChannelWhoseCellsAreTooLarge) {
  const auto channel = [](int cells, double wall_units, const std::string& along = "force") {
    const double viscosity = 0.001, h = cells / 2.0;
    const double friction = wall_units * viscosity;
    const double a = friction * friction / h;  // cells / step^2
    const double u = 0.1, length = h;
    const std::string drive =
        along == "force"
            ? fmt::format("force: {{acceleration: [0, 0, {}]}}\n", a * length / (u * u))
            : "";
    const std::string faces =
        along == "force"
            ? "z_min: periodic, z_max: periodic"
            : fmt::format("z_min: {{type: periodic, pressure_drop: {}}}, z_max: periodic",
                          a * 64 / (u * u));
    return warned(
        fmt::format("grid: {{cells: [{}, 32, 64]}}\n"
                    "boundaries: {{x_min: wall, x_max: wall, y_min: periodic, y_max: "
                    "periodic, {}}}\n"
                    "fluid: {{length: {}, viscosity: {}, lattice_velocity: {}}}\n"
                    "lattice: {{collision: regularised_filtered}}\n{}"
                    "run: {{steps: 100}}\n",
                    cells, faces, length, viscosity, u, drive));
  };
  const std::string unresolved = "turbulence at the walls is not resolved";
  EXPECT_TRUE(has(channel(32, 11), unresolved)) << channel(32, 11);
  EXPECT_TRUE(has(channel(32, 11), "a cell is 11 wall units")) << channel(32, 11);
  EXPECT_TRUE(has(channel(32, 11, "pressure"), unresolved));
  EXPECT_FALSE(has(channel(96, 3.75), unresolved));  // cases/channel_les.yaml
  EXPECT_FALSE(has(channel(16, 7), unresolved));     // laminar: friction Reynolds number 56
}

TEST(Cautions, BlockageOfATunnel) {
  const Case rod = of(tunnel);
  const auto share = blockage(rod, derive(rod));
  ASSERT_TRUE(share);
  EXPECT_NEAR(*share, 10.0 / 80, 1e-12);
  EXPECT_EQ(blockage_text(*share),
            "12.5 % of the cross-section; drag is some 31 % above that in an open stream");
  EXPECT_EQ(blockage_text(0.4), "40 % of the cross-section");
  EXPECT_TRUE(has(warned(tunnel), "fills 12.5 % of the cross-section"));
  EXPECT_FALSE(has(warned(tunnel, {"grid.cells=[240, 2, 160]"}), "cross-section"));
  // A channel with walls at rest is meant as it is; far fields give way.
  EXPECT_FALSE(
      has(warned(tunnel, {"boundaries.x_min=wall", "boundaries.x_max=wall"}), "cross-section"));
  const Case sphere = of(tunnel, {"grid.cells=[80, 80, 160]", "bodies=null",
                                  "bodies.ball={shape: sphere, center: [40, 40, 40], radius: 20}"});
  EXPECT_NEAR(*blockage(sphere, derive(sphere)), std::acos(-1.0) * 400 / 6400, 1e-12);
  EXPECT_FALSE(has(warned(tunnel, {"bodies.rod.radius=20"}), "cross-section"));  // no tunnel
  const Case still = of(tunnel, {"boundaries=null"});
  EXPECT_FALSE(blockage(still, derive(still)));
}

}  // namespace
}  // namespace lbm::cases
