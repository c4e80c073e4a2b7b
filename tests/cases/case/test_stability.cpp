// SPDX-License-Identifier: Apache-2.0

// Warnings of flows that a collision model does not bear, and the remedies that they name.
#include "cases/case/validate/validate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <regex>

#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using Sets = std::vector<std::string>;

const std::string box = "grid: {cells: [20, 20, 20]}\nrun: {steps: 10}\n";
const std::string lid = box + "boundaries: {z_max: {type: wall, velocity: [1, 0, 0]}}\n";
const std::string tunnel =
    box + "boundaries: {z_min: {type: velocity, velocity: [0, 0, 1]}, z_max: outflow}\n";
const std::string pressures =
    box + "boundaries: {z_min: {type: pressure, pressure: 0.1}, z_max: {type: pressure}}\n";
const std::string still = box;

Case case_of(const std::string& text, double cell_reynolds, const Sets& sets) {
  Sets all{fmt::format("fluid={{lattice_velocity: 0.1, viscosity: {:.17g}}}", 0.1 / cell_reynolds)};
  all.insert(all.end(), sets.begin(), sets.end());
  return parse_case(text, "c.yaml", all);
}

std::vector<Instability> instabilities_of(const Case& lbm_case) {
  return expected_instabilities(lbm_case, derive(lbm_case));
}

std::string warned(const std::string& text, double cell_reynolds, const Sets& sets) {
  std::string all;
  for (const std::string& line : test::warnings_of(case_of(text, cell_reynolds, sets)))
    all += line + "\n";
  return all;
}

const std::vector<Sets> models{
    {"lattice.collision=bgk"},         {"lattice.collision=bgk", "lattice.smagorinsky=0.1"},
    {"lattice.collision=trt"},         {"lattice.collision=trt", "lattice.smagorinsky=0.1"},
    {"lattice.collision=regularised"}, {"lattice.collision=regularised_filtered"}};

TEST(Stability, WarnsAboveTheMeasuredLimitOnly) {
  for (const Sets& model : models) {
    const StableSpeeds stable = stable_speeds(case_of(lid, 1, model).lattice);
    EXPECT_EQ(warned(lid, 0.99 * stable.moving_walls, model), "");
    EXPECT_EQ(warned(lid, 1.01 * stable.moving_walls, model)
                  .find("c.yaml:3: boundaries.z_max.velocity: the cell"),
              0U);
    for (const std::string& text : {tunnel, pressures}) {
      EXPECT_EQ(warned(text, 0.99 * stable.open_faces, model), "") << text;
      EXPECT_NE(warned(text, 1.01 * stable.open_faces, model), "") << text;
    }
  }
}

// A lower lattice velocity leaves the cell Reynolds number as it is.
TEST(Stability, DoesNotDependOnTheLatticeVelocity) {
  EXPECT_NE(warned(lid, 15, {"fluid={lattice_velocity: 0.01, viscosity: 0.00066}"}), "");
  EXPECT_EQ(warned(lid, 15, {"fluid={lattice_velocity: 0.01, viscosity: 0.00083}"}), "");
}

// A case that stores moments cannot take trt.
TEST(Stability, NamesNoModelThatTheRepresentationExcludes) {
  const Sets moments{"lattice={collision: regularised, representation: moments}"};
  const std::string text = warned(lid, 15, moments);
  EXPECT_NE(text.find("take lattice.collision: regularised_filtered, or a grid"), std::string::npos)
      << text;
  EXPECT_EQ(warned(lid, 15, {"lattice={collision: regularised_filtered, representation: moments}"}),
            "");
}

// Each model that a warning names, and the grid, make the warning go away.
TEST(Stability, RemediesHelp) {
  const std::regex name("regularised_filtered|trt(?= or|, or)"),
      finer("a grid ([0-9.]+) times finer");
  int named = 0;
  for (const std::string& text : {lid, tunnel, pressures}) {
    for (const Sets& model : models) {
      for (const double number : {8.5, 10.0, 15.6, 22.0, 50.0, 99.0, 140.0, 400.0}) {
        const auto found = instabilities_of(case_of(text, number, model));
        if (found.empty()) continue;
        const std::string remedy = found[0].text.substr(found[0].text.find(": take "));
        for (auto at = std::sregex_iterator(remedy.begin(), remedy.end(), name);
             at != std::sregex_iterator(); ++at) {
          Sets changed = model;
          changed.push_back("lattice.collision=" + at->str());
          EXPECT_EQ(warned(text, number, changed), "") << found[0].text;
          ++named;
        }
        std::smatch grid;
        ASSERT_TRUE(std::regex_search(remedy, grid, finer)) << remedy;
        EXPECT_EQ(warned(text, number / std::stod(grid[1]), model), "") << found[0].text;
      }
    }
  }
  EXPECT_GT(named, 40);
}

TEST(Stability, TheFastestInletAndEachWallCount) {
  const Sets fast{"boundaries.z_min.velocity=[0,0,2]"};
  EXPECT_EQ(warned(tunnel, 5, {}), "");
  EXPECT_NE(warned(tunnel, 5, fast).find("is 10; flows through open faces"), std::string::npos);
  // A far field at rest lets the flow of the rest of the case through.
  const Sets far{"boundaries.x_min.type=far_field"};
  EXPECT_EQ(warned(lid, 8.9, far), "");
  EXPECT_NE(warned(lid, 10, far).find("is 10; flows through open faces"), std::string::npos);
  const auto found = instabilities_of(case_of(
      lid, 15, {"boundaries.x_min={type: wall, velocity: [0, 2, 0]}", "boundaries.y_min=wall"}));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].key, "boundaries.x_min.velocity");
  EXPECT_EQ(found[1].key, "boundaries.z_max.velocity");
}

TEST(Stability, TheRelaxationTimeDecidesWhereNothingMovesAtTheFaces) {
  const auto tau = [](double value, const std::string& collision) {
    return warned(still, 1,
                  {fmt::format("fluid={{viscosity: {:.17g}}}", (value - 0.5) / 3),
                   "lattice.collision=" + collision});
  };
  EXPECT_NE(tau(0.503, "bgk").find("fluid.viscosity: tau = 0.503 is below 0.505"),
            std::string::npos);
  EXPECT_NE(tau(0.503, "bgk")
                .find("take lattice.collision: trt or regularised_filtered, or a finer grid"),
            std::string::npos);
  EXPECT_EQ(tau(0.503, "trt"), "");
  // A slow wall drives no flow.
  const std::string slow = "boundaries.z_max={type: wall, velocity: [0.1, 0, 0]}";
  EXPECT_NE(warned(still, 1, {"fluid={viscosity: 0.001, lattice_velocity: 0.05}", slow}), "");
  EXPECT_NE(tau(0.5015, "trt").find("below 0.502"), std::string::npos);
  EXPECT_EQ(tau(0.5015, "regularised_filtered"), "");
  EXPECT_NE(tau(0.5005, "regularised_filtered").find("take a finer grid"), std::string::npos);
}

const std::string channel =
    "grid: {cells: [4, 4, 40]}\nrun: {convective_times: 1000}\n"
    "fluid: {reynolds: 40, length: 40, lattice_velocity: 0.05}\n"
    "boundaries: {x_min: periodic, x_max: periodic, y_min: periodic, y_max: periodic}\n";

std::string warned_of_force(const Sets& sets) {
  std::string all;
  for (const std::string& line : test::warnings_of(parse_case(channel, "c.yaml", sets)))
    all += line + "\n";
  return all;
}

// Between two walls the peak is a Re / 8 reference velocities, here 5 a; at a free slip four times
// that; without walls the flow never ends to be accelerated, a in each convective time.
TEST(Stability, WarnsOfAForceThatDrivesTheFlowTooFast) {
  EXPECT_EQ(warned_of_force({"force.acceleration=[0.6, 0, 0]"}), "");
  const std::string laminar = warned_of_force({"force.acceleration=[0.8, 0, 0]"});
  EXPECT_NE(laminar.find("force.acceleration: it may drive the flow up to Mach 0.346 (4 reference "
                         "velocities), must be below 0.3"),
            std::string::npos)
      << laminar;
  EXPECT_EQ(warned_of_force({"force.acceleration=[0.16, 0, 0]", "boundaries.z_max=slip"}), "");
  EXPECT_NE(warned_of_force({"force.acceleration=[0.2, 0, 0]", "boundaries.z_max=slip"})
                .find("(4 reference velocities)"),
            std::string::npos);
  const Sets free{"boundaries.z_min=slip", "boundaries.z_max=slip", "run.convective_times=100"};
  const auto without_walls = [&](const std::string& more) {
    Sets sets = free;
    sets.push_back(more);
    return warned_of_force(sets);
  };
  EXPECT_EQ(without_walls("force.acceleration=[0.03, 0, 0]"), "");
  EXPECT_NE(without_walls("force.acceleration=[0.04, 0, 0]").find("(4 reference velocities)"),
            std::string::npos);
  EXPECT_EQ(without_walls("force={amplitude: [2, 0, 0], period: 6.2832}"), "");
  EXPECT_NE(without_walls("force={amplitude: [4, 0, 0], period: 6.2832}")
                .find("force.amplitude: it may drive the flow up to"),
            std::string::npos);
  // 4 cells along x are 0.1 reference lengths.
  EXPECT_EQ(warned_of_force({"boundaries.x_min.pressure_drop=0.06"}), "");
  EXPECT_NE(warned_of_force({"boundaries.x_min.pressure_drop=0.08"})
                .find("boundaries.x_min.pressure_drop: it may drive"),
            std::string::npos);
}

TEST(Stability, AForceAgainstWallsOrPastBodiesIsNotJudged) {
  EXPECT_EQ(warned_of_force({"force.acceleration=[0, 0, 9]"}), "");
  EXPECT_EQ(warned_of_force({"force.acceleration=[9, 0, 0]",
                             "bodies={ball: {shape: sphere, center: [2, 2, 20], radius: 1}}"})
                .find("may drive"),
            std::string::npos);
}

// Friction of bodies is not known, so nothing is warned of before the run; a flow that became too
// fast is another matter.
TEST(Stability, AForcePastBodiesIsNamedOnceTheFlowIsTooFast) {
  const Case with_ball =
      parse_case(channel, "c.yaml",
                 Sets{"force.acceleration=[9, 0, 0]",
                      "bodies={ball: {shape: sphere, center: [2, 2, 20], radius: 1}}"});
  EXPECT_EQ(remedy_for_divergence(with_ball, derive(with_ball), 0.45)
                .find("force.acceleration: it may drive"),
            0U);
  EXPECT_EQ(remedy_for_divergence(with_ball, derive(with_ball), 0)
                .find("force.acceleration: it may drive"),
            0U);
  EXPECT_EQ(remedy_for_divergence(with_ball, derive(with_ball), 0.1).find("force.acceleration"),
            std::string::npos);
}

TEST(Stability, RemediesForAForceHelp) {
  const std::regex named(
      "make it ([0-9.]+) times smaller, or lower fluid.lattice_velocity to (.+)");
  for (const double acceleration : {0.8, 1.0, 3.0, 70.0}) {
    const auto force = [](double a) {
      return fmt::format("force.acceleration=[{:.17g}, 0, 0]", a);
    };
    const auto found = instabilities_of(parse_case(channel, "c.yaml", Sets{force(acceleration)}));
    ASSERT_FALSE(found.empty());
    std::smatch remedy;
    ASSERT_TRUE(std::regex_search(found[0].text, remedy, named)) << found[0].text;
    EXPECT_EQ(warned_of_force({force(acceleration / std::stod(remedy[1]))}), "") << found[0].text;
    EXPECT_EQ(warned_of_force({force(acceleration), "fluid.lattice_velocity=" + remedy[2].str()})
                  .find("may drive"),
              std::string::npos)
        << found[0].text;
  }
}

TEST(Stability, ADivergedFlowGetsTheWorstOfItsSettings) {
  const auto remedy = [](const std::string& text, double number, const Sets& sets) {
    const Case lbm_case = case_of(text, number, sets);
    return remedy_for_divergence(lbm_case, derive(lbm_case));
  };
  EXPECT_NE(remedy(lid, 15.6, {}).find("take lattice.collision: trt or regularised_filtered"),
            std::string::npos);
  EXPECT_EQ(remedy(channel, 10, {"force.acceleration=[9, 0, 0]"})
                .find("force.acceleration: it may drive the flow up to Mach"),
            0U);
  // A finer grid helps a small tau, but no flow that its force drives beyond run.max_mach.
  const Sets forced_and_thin = {"force.acceleration=[0.01, 0, 0]"};
  EXPECT_EQ(remedy(channel, 5000, forced_and_thin).find("force.acceleration: it may drive"), 0U);
  Sets faster_allowed = forced_and_thin;
  faster_allowed.emplace_back("run.max_mach=9");
  EXPECT_EQ(remedy(channel, 5000, faster_allowed).find("fluid.viscosity: tau ="), 0U);
  EXPECT_NE(
      remedy(lid, 5, {"fluid={lattice_velocity: 0.15, viscosity: 0.03}"})
          .find(
              "the fastest cell was at Mach 0.26, above 0.2: use a smaller fluid.lattice_velocity"),
      std::string::npos);
  EXPECT_NE(remedy(lid, 5, {}).find("try lattice.collision: regularised_filtered"),
            std::string::npos);
  // No regularised collision exists on D3Q27.
  const std::string corners = "lattice.velocities=D3Q27";
  EXPECT_NE(remedy(lid, 5, {corners}).find("try lattice.collision: cumulant"), std::string::npos);
  EXPECT_NE(remedy(lid, 5, {corners, "lattice.collision=cumulant"})
                .find("try a smaller fluid.lattice_velocity"),
            std::string::npos);
}

}  // namespace
}  // namespace lbm::cases
