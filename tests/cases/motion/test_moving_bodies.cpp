// SPDX-License-Identifier: Apache-2.0

// Bodies that move (bodies.NAME.motion): their samples and places, and what is refused.
#include <gtest/gtest.h>

#include <numbers>

#include "cases/case/model/case_model.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/geometry/primitives/primitives.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

using test::error_of;

const std::string base =
    "grid: {cells: [40, 40, 40]}\n"
    "bodies:\n"
    "  rotor: {shape: box, center: [20, 20, 20], size: [20, 4, 8], motion: {axis: [0, 0, 2], rate: "
    "1}}\n"
    "fluid: {reynolds: 100, length: 10, lattice_velocity: 0.05}\n"
    "run: {steps: 50}\n";

Case read(const std::vector<std::string>& overrides = {}) {
  return parse_case(base, "c.yaml", overrides);
}

CaseModel model_of(const Case& c) { return make_case_model(c, validate(c)); }

std::string refusal(const std::vector<std::string>& overrides) {
  return error_of([&] { model_of(read(overrides)); });
}

double volume_of(const SolidFraction& fraction) {
  double sum = 0;
  for (const std::uint8_t value : fraction.values) sum += value / 255.0;
  return sum * std::pow(fraction.spacing, 3);
}

TEST(MovingBodies, SamplesHaveTheVolume) {
  const auto sphere = geometry::make_sphere({20.2, 19.7, 20.4}, 6.3);
  const SolidFraction fraction = sample_solid_fraction(*sphere, {40, 40, 40}, {}, {});
  EXPECT_NEAR(volume_of(fraction) / (4 * std::numbers::pi / 3 * 6.3 * 6.3 * 6.3), 1, 0.003);
  // A blade thinner than a cell.
  const auto blade = geometry::make_box({20, 20.3, 20}, {12, 0.5, 9});
  EXPECT_NEAR(volume_of(sample_solid_fraction(*blade, {40, 40, 40}, {}, {})) / 54, 1, 0.02);
}

TEST(MovingBodies, SamplesOfAnEndlessCylinderAreOnePlane) {
  const auto rod = geometry::make_cylinder({20, 20, -50}, {20, 20, 90}, 5);
  EXPECT_EQ(sample_solid_fraction(*rod, {40, 40, 40}, {false, false, true}, {}).samples[2], 1);
}

TEST(MovingBodies, PlaceFollowsTheFormulas) {
  const CaseModel model =
      model_of(read({"bodies.rotor.motion.rate=null", "bodies.rotor.motion.angle=0.5*t*t",
                     "bodies.rotor.motion.displacement=[\"2*sin(t)\", 0, \"-t\"]"}));
  ASSERT_EQ(model.boundaries.moving().size(), 1U);
  EXPECT_EQ(model.boundaries.solid_cells(), 0);
  EXPECT_EQ(model.boundaries.bodies(), 1);
  const BodyPlace place = model.boundaries.moving()[0].body->place(50);
  const double t = 50 * 0.05 / 10, unit = 0.05 / 10;  // of a step
  EXPECT_NEAR(place.rotation[0][0], std::cos(0.5 * t * t), 1e-12);
  EXPECT_NEAR(place.rotation[1][0], std::sin(0.5 * t * t), 1e-12);
  EXPECT_NEAR(place.center[0], 20 + 2 * std::sin(t), 1e-12);
  EXPECT_NEAR(place.center[2], 20 - t, 1e-12);
  EXPECT_NEAR(place.velocity[0], 2 * std::cos(t) * unit, 1e-5 * unit);
  EXPECT_NEAR(place.velocity[2], -unit, 1e-12);
  EXPECT_NEAR(place.angular_velocity[2], t * unit, 1e-12);
}

TEST(MovingBodies, RefusalsNameTheKey) {
  const auto says = [](const std::vector<std::string>& overrides, const std::string& key,
                       const std::string& text) {
    const std::string line = refusal(overrides);
    EXPECT_NE(line.find(key), std::string::npos) << line;
    EXPECT_NE(line.find(text), std::string::npos) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  };
  says({"bodies.rotor.motion.axis=[0,0,0]"}, "bodies.rotor.motion.axis", "length of 0");
  says({"bodies.rotor.motion.axis=null"}, "bodies.rotor.motion.rate", "axis");
  says({"bodies.rotor.motion.rate=12"}, "bodies.rotor", "motion: found a speed of Mach");
  says({"bodies.rotor.motion.displacement=[\"-20*t\", 0, 0]", "run.steps=400"}, "bodies.rotor",
       "leaves the box along x");
  says({"bodies.post={shape: box, center: [20, 33, 20], size: [4, 10, 8]}", "run.steps=400"},
       "bodies.rotor.motion", "meets post at step");
  says({"bodies.rotor.motion.displacement=[0, 0, \"t\"]", "boundaries.z_max=outflow",
        "run.steps=3000"},
       "bodies.rotor", "leaves the box along z");
  const std::string periodic =
      "boundaries={x_min: periodic, x_max: periodic, y_min: periodic, "
      "y_max: periodic, z_min: periodic, z_max: periodic}";
  says({"bodies.rotor.size=[50,4,8]", periodic}, "bodies.rotor", "turn about that axis alone");
  says({"bodies.rotor={shape: torus, center: [20,20,20], axis: [0,1,0], radii: [19,3], motion: "
        "{axis: [0,1,0], rate: 0.1}}",
        periodic},
       "bodies.rotor", "not the same all along");
  says({"bodies.rotor.size=[3000,4,8]"}, "bodies.rotor", "must fit the box");
  says({"bodies.rotor.motion.rate=null", "bodies.rotor.motion.angle=sqrt(-1-t)"}, "bodies.rotor",
       "finite");
  says({"quantities.p={kind: porosity}"}, "quantities.p", "motion");
  says({"bodies.pea={shape: sphere, center: [20, 20, 20], radius: 1}"}, "bodies.rotor.motion",
       "meets pea");
  says({"bodies.rotor.motion.angle=t"}, "bodies.rotor.motion.angle", "rate or angle");
  says({"bodies.rotor.velocity=[1,0,0]"}, "bodies.rotor.velocity", "motion");
  says({"scalars.heat.prandtl=1"}, "scalars", "motion");
  says({"tiling.steps_per_pass=2"}, "tiling.steps_per_pass", "motion");
  says({"lattice.cells=fluid"}, "lattice.cells", "moves");
  says({"run.cascade=2"}, "run.cascade", "motion");
  says({"bodies.rotor.motion={}"}, "bodies.rotor.motion", "found an empty map, must be a map of");
}

TEST(MovingBodies, MeetPeriodicImages) {
  const std::string periodic = "boundaries={x_min: periodic, x_max: periodic}";
  const std::string post = "bodies.post={shape: box, center: [38, 20, 20], size: [3, 4, 8]}";
  // The tips are 10.2 cells from the axis: the image of the post is from 3.5 to 0.5 cells before
  // it.
  const std::string near = "bodies.rotor.center=[9, 20, 20]";
  EXPECT_NE(refusal({near, post, periodic}).find("the body meets post at step"), std::string::npos);
  EXPECT_NO_THROW(model_of(read({"bodies.rotor.center=[12, 20, 20]", post, periodic})));
  // Two boxes farther along x it is at the same place.
  EXPECT_NE(refusal({near, post, periodic, "bodies.rotor.motion.displacement=[\"80*t/0.25\", 0, 0]",
                     "fluid.lattice_velocity=0.0005"})
                .find("the body meets post at step"),
            std::string::npos);
  // A body of nearly the length of the box meets itself where it has turned by 13 to 20 degrees.
  const std::string wide = "bodies.rotor.size=[39, 14, 8]", slow = "bodies.rotor.motion.rate=0.1";
  EXPECT_NE(refusal({wide, slow, periodic, "run.steps=800"})
                .find("the body meets its periodic image at step"),
            std::string::npos);
}

TEST(MovingBodies, ThinBladesLetFluidPass) {
  const auto warned = [](const Case& c) {
    for (const std::string& line : test::warnings_of(c)) {
      if (line.find("fluid may pass through it: make it 3 cells") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(warned(read({"bodies.rotor.size=[20, 2, 8]"})));
  EXPECT_FALSE(warned(read()));
  EXPECT_FALSE(warned(read({"bodies.rotor.size=[20, 2, 8]", "bodies.rotor.motion=null"})));
  // Parts count only if the whole body moves.
  const std::string plate = "{shape: box, center: [5, 5, 20], size: [6, 2, 6], solid: false}";
  const std::string ball = "{shape: sphere, center: [5, 5, 20], radius: 4.5, solid: false}";
  const std::vector<std::string> parts{"bodies.plate=" + plate, "bodies.ball=" + ball};
  auto whole = parts;
  whole.emplace_back("bodies.fan={shape: union, of: [plate, ball]}");
  EXPECT_FALSE(warned(read(whole)));
  whole.back() = "bodies.fan={shape: union, of: [plate, ball], motion: {axis: [0, 0, 1], rate: 1}}";
  EXPECT_TRUE(warned(read(whole)));
}

TEST(MovingBodies, RevolutionsAreALength) {
  // 3 turns at 2 U/L: 3 pi L/U of 200 steps.
  const std::vector<std::string> three{"run={revolutions: 3}", "bodies.rotor.motion.rate=-2"};
  EXPECT_EQ(derive(read(three)).steps, std::lround(3 * std::numbers::pi * 200));
  auto two = three;
  two.emplace_back(
      "bodies.second={shape: sphere, center: [5, 5, 5], radius: 3, motion: {axis: [0, 0, 1], rate: "
      "4}}");
  EXPECT_NE(refusal(two).find("run.revolutions: requires a body with motion.rate"),
            std::string::npos);
  two.emplace_back("run.revolutions_of=second");
  EXPECT_EQ(derive(read(two)).steps, std::lround(1.5 * std::numbers::pi * 200));
}

}  // namespace
}  // namespace lbm::cases
