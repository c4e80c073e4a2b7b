// SPDX-License-Identifier: Apache-2.0

// Checks of faces, patches, bodies, forces and expectations: errors, their keys and reasons.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cases/case/read/read_case.hpp"
#include "cases/case/validate/validate.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

// A sphere in a wind tunnel, valid without warnings; tests modify it by overrides.
const std::string tunnel =
    "grid: {cells: [40, 40, 80]}\n"
    "fluid: {reynolds: 50, length: 10}\n"
    "run: {convective_times: 20}\n"
    "boundaries:\n"
    "  z_min: {type: velocity, velocity: [0, 0, 1]}\n"
    "  z_max: outflow\n"
    "  x_min: slip\n"
    "  x_max: slip\n"
    "  y_min: periodic\n"
    "  y_max: periodic\n"
    "bodies:\n"
    "  ball: {shape: sphere, center: [20, 20, 30], radius: 5}\n"
    "expect:\n"
    "  drag: {quantity: coefficient.z, body: ball, value: 1.5, tolerance: 0.1}\n";

using Sets = std::vector<std::string>;

Case tunnel_with(const Sets& sets) { return parse_case(tunnel, "c.yaml", sets); }

void expect_accepted(const Sets& sets) {
  EXPECT_NO_THROW(validate(tunnel_with(sets))) << sets.back();
  EXPECT_NO_THROW(validate(parse_case(to_yaml(tunnel_with(sets)), "back.yaml"))) << sets.back();
}

void expect_refused(const Sets& sets, const std::string& key, const std::string& part) {
  const std::string line = test::error_of([&] { validate(tunnel_with(sets)); });
  EXPECT_NE(line.find(key + ": "), std::string::npos) << line;
  EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_LT(line.size(), 400u) << line;  // the longest lists all quantities
}

std::string warned(const Sets& sets) {
  std::string all;
  for (const std::string& line : test::warnings_of(tunnel_with(sets))) all += line + "\n";
  return all;
}

void expect_warned(const Sets& sets, const std::string& part) {
  EXPECT_NE(warned(sets).find(part), std::string::npos) << "[" << warned(sets) << "] " << part;
}

TEST(CaseFlow, TheTunnelIsValid) {
  EXPECT_NO_THROW(validate(tunnel_with({})));
  EXPECT_EQ(warned({}), "");
}

TEST(CaseFlow, WarnsOfModelsThatDoNotGoWithMultireflection) {
  const std::string walls = "bodies.ball.walls=multireflection";
  const std::string trt = "lattice.collision=trt";
  const std::string slow =
      "fluid={reynolds: 10, length: 10, lattice_velocity: 0.05}";  // tau = 0.65
  EXPECT_EQ(warned({walls, trt, slow}), "");
  expect_warned({walls, "fluid.lattice_velocity=0.05", "lattice.collision=bgk"},
                "multireflection may be unstable with this lattice.collision at tau = 0.53");
  EXPECT_EQ(warned({walls, slow, "lattice.collision=bgk"}), "");
  EXPECT_EQ(warned({walls, "fluid.lattice_velocity=0.05", "lattice.collision=regularised"}), "");
}

TEST(CaseFlow, KeysGoWithTypesOfFaces) {
  const std::string x = "boundaries.x_min";
  expect_refused({x + ".velocity=[0,1,0]"}, x + ".velocity",
                 "conflicts with type: slip, requires type: wall, velocity or far_field");
  expect_refused({x + ".pressure=1"}, x + ".pressure", "type: pressure, outflow or far_field");
  expect_refused({x + ".period=1"}, x + ".period", "requires type: wall");
  expect_refused({x + ".ramp_time=1"}, x + ".ramp_time", "requires type: velocity");
  expect_refused({x + ".turbulence.seed=1"}, x + ".turbulence.seed", "requires type: velocity");
  expect_refused({"boundaries.z_max.pressure_drop=1"}, "boundaries.z_max.pressure_drop",
                 "requires type: periodic");
  expect_accepted({x + "={type: wall, velocity: [0, 1, 0], period: 3}"});
  expect_refused({x + "={type: wall, period: 3}"}, x + ".period", "missing: velocity");
  expect_accepted({"boundaries.z_max.pressure=0.5", "boundaries.y_min.pressure_drop=0.1"});
  expect_refused({"boundaries.y_min.pressure_drop=1", "boundaries.y_max.pressure_drop=1"},
                 "boundaries.y_min.pressure_drop", "remove one");
  expect_refused({"boundaries.y_max=slip"}, "boundaries.y_min", "y_max, which is a slip");
  expect_refused({"boundaries.z_max.pressure=-40"}, "boundaries.z_max.pressure", "density of -0.2");
}

TEST(CaseFlow, KeysGoWithProfiles) {
  const std::string z = "boundaries.z_min";
  expect_accepted({z + ".profile=duct", z + ".ramp_time=2"});
  expect_refused({z + ".profile=pipe"}, z + ".profile_center", "profile: pipe requires it");
  expect_accepted({z + ".profile=pipe", z + ".profile_center=[20,20]", z + ".profile_radius=9"});
  expect_refused({z + ".profile_radius=9"}, z + ".profile_radius", "missing: profile: pipe");
  expect_refused({z + ".profile=pipe", z + ".profile_center=[20,41]", z + ".profile_radius=9"},
                 z + ".profile_center", "along y");
  expect_refused({z + "={type: velocity, profile: table}"}, z + ".file", "missing: profile");
  expect_refused({z + ".profile=table", z + ".file=a.csv"}, z + ".velocity", "remove one");
  expect_refused({z + "={type: velocity, profile: table, file: none.csv}"}, z + ".file",
                 "must be a file that exists");
  expect_refused({z + ".turbulence.length=3"}, z + ".turbulence.length", "missing: intensity");
  expect_accepted({z + ".turbulence={intensity: 0.1, length: 3, seed: 7}"});
}

TEST(CaseFlow, Patches) {
  const std::string z = "boundaries.z_max";
  const std::string jet = z + ".patches.jet";
  const auto patch = [&](const std::string& keys) {
    return Sets{z + "={type: wall, patches: {jet: {" + keys + "}}}"};
  };
  expect_accepted(patch("type: outflow, box: [0, 40, 10, 20]"));
  expect_accepted(patch("type: pressure, center: [20, 20], radius: 20"));
  expect_refused(patch("type: outflow"), jet + ".box", "missing: one of box, center");
  expect_refused(patch("type: outflow, box: [0, 1, 0, 1], center: [2, 2], radius: 1"),
                 jet + ".center", "conflicts with box");
  expect_refused(patch("type: outflow, center: [2, 2]"), jet + ".center", "missing: radius");
  expect_refused(patch("type: outflow, box: [0, 40, 20, 10]"), jet + ".box", "b0 < b1");
  expect_refused(patch("type: outflow, box: [0, 41, 10, 20]"), jet + ".box",
                 "must lie on the face");
  expect_refused(patch("type: outflow, box: [-1, 4, 10, 20]"), jet + ".box", "found -1 to 4");
  expect_refused(patch("type: outflow, center: [20, 30], radius: 11"), jet + ".center", "along y");
  expect_refused(patch("type: slip, box: [0, 1, 0, 1]"), jet + ".type",
                 "found \"slip\", must be one of");
  expect_refused({"boundaries.x_min.patches={jet: {type: wall, box: [0, 1, 0, 1]}}"},
                 "boundaries.x_min.patches.jet", "slip for the face under a patch");
  // The transverse axes of x_min are y and z.
  expect_accepted({"grid.cells=[40,60,80]",
                   "boundaries.x_min={type: wall, patches: {jet: {box: [0, 60, 0, 80]}}}"});
  expect_accepted({"boundaries.x_min={type: wall, patches: {jet: {box: [0, 40, 0, 80]}}}"});
}

TEST(CaseFlow, MassCanGoWhereItComes) {
  expect_refused({"boundaries.z_max=wall"}, "boundaries.z_min.velocity", "missing: an outlet");
  expect_refused({"boundaries.z_min.velocity=[0,0,-1]", "boundaries.z_max=wall"},
                 "boundaries.z_min.velocity", "missing: an inlet for this outlet");
  expect_accepted({"boundaries.z_max={type: velocity, velocity: [0, 0, 1]}"});
  expect_refused({"boundaries.z_max={type: velocity, velocity: [0, 0, 0.9]}"},
                 "boundaries.z_min.velocity", "1600 in and 1440 out");
  expect_accepted({"boundaries.z_max={type: wall, patches: {o: {type: outflow, box: [0,9,0,9]}}}"});
  expect_accepted({"boundaries.z_min.velocity=[1,0,0]", "boundaries.z_max=wall"});
  expect_accepted({"boundaries.x_min=outflow", "boundaries.z_max=wall"});
}

TEST(CaseFlow, KeysGoWithShapes) {
  expect_refused({"bodies.ball.size=[1,1,1]"}, "bodies.ball.size",
                 "conflicts with shape: sphere, requires shape: box or ellipsoid");
  expect_refused({"bodies.a={shape: box, center: [9, 9, 9]}"}, "bodies.a.size",
                 "missing: shape: box requires it");
  expect_refused({"bodies.a={radius: 3}"}, "bodies.a.shape", "missing: bodies.a requires it");
  expect_refused({"bodies.a={shape: capsule, from: [1,1,1], to: [1,1,1], radius: 2}"},
                 "bodies.a.to", "the same point");
  expect_refused({"bodies.a={shape: plane, center: [1,1,1], normal: [0,0,0]}"}, "bodies.a.normal",
                 "not [0, 0, 0]");
  expect_refused({"bodies.a={shape: stl, file: none.stl}"}, "bodies.a.file", "exists");
  expect_refused({"bodies.ball.rotate=[[0,0,0,30]]"}, "bodies.ball.rotate=[[0,0,0,30]]",
                 "axes not 0");
}

TEST(CaseFlow, MeshesAreLookedForBesideTheCase) {
  const std::filesystem::path folder = testing::TempDir();
  std::ofstream(folder / "case_flow_test.stl") << "solid\nendsolid\n";
  const Case c = parse_case(tunnel, (folder / "c.yaml").string(),
                            {"bodies.a={shape: stl, file: case_flow_test.stl}"});
  EXPECT_NO_THROW(validate(c));
}

TEST(CaseFlow, Combinations) {
  const std::string block = "bodies.block={shape: box, center: [20,20,30], size: [9,9,9]}";
  const auto of = [&](const std::string& shape, const std::string& names) {
    return Sets{block, "bodies.both={shape: " + shape + ", of: " + names + "}"};
  };
  for (const char* shape : {"union", "intersection", "difference"}) {
    expect_accepted(of(shape, "[ball, block]"));
  }
  expect_refused(of("union", "[ball]"), "bodies.both.of", "at least two");
  expect_refused(of("union", "[ball, brick]"), "bodies.both.of", "found brick, must be bodies");
  expect_refused(of("union", "[ball, both]"), "bodies.both.of", "circular");
  expect_refused(
      {"bodies.a={shape: union, of: [ball, b]}", "bodies.b={shape: union, of: [ball, a]}"},
      "bodies.b.of", "found a, which has b as a part itself");
  expect_warned(of("union", "[ball, block]"), "bodies.ball.solid: a part of another body");
  expect_warned({"bodies.ball.solid=false", "expect={}"}, "it has no effect");
}

TEST(CaseFlow, BodiesTouchTheBox) {
  const auto at = [](const std::string& center) { return Sets{"bodies.ball.center=" + center}; };
  expect_accepted(at("[44.9,20,30]"));
  expect_refused(at("[45.1,20,30]"), "bodies.ball", "outside the box of 40 x 40 x 80");
  expect_accepted({"bodies.ball.rotate=[[0,0,1e-300,30]]"});
  expect_refused(at("[20,20,-5.1]"), "bodies.ball", "outside");
  expect_accepted({"bodies.ball.translate=[24.9,0,0]"});
  expect_refused({"bodies.ball.translate=[25.1,0,0]"}, "bodies.ball", "outside");
  expect_refused({"bodies.ball.scale=3"}, "bodies.ball", "outside");  // the centre moves, too
  // A quarter turn about z takes (20, 20) to (-20, 20).
  expect_refused({"bodies.ball.rotate=[[0,0,1,90]]"}, "bodies.ball", "outside");
  expect_accepted({"bodies.ball.rotate=[[0,0,1,90]]", "bodies.ball.translate=[40,0,0]"});
  // A disc across the box, 0.5 thick; its rim does not extend along its axis.
  const std::string disc = "bodies.a={shape: cylinder, radius: 15, from: [20,20,-1], to: ";
  expect_refused({disc + "[20,20,-0.5]}"}, "bodies.a", "outside");
  expect_accepted({disc + "[20,20,0.5]}"});
  const std::string far = "bodies.far={shape: sphere, center: [90,20,30], radius: 9, solid: false}";
  expect_refused({far, "bodies.a={shape: difference, of: [far, ball]}"}, "bodies.a", "outside");
  expect_refused({far, "bodies.a={shape: intersection, of: [far, ball]}"}, "bodies.a.of",
                 "without a common point");
  expect_accepted({far, "bodies.a={shape: union, of: [far, ball]}"});
  const std::string rod = "bodies.a={shape: cylinder, from: [10,-4,30], to: [30,-4,30], radius: ";
  expect_refused({rod + "3.9}"}, "bodies.a", "outside");
  expect_accepted({rod + "4.1}"});
  const std::string ground = "bodies.a={shape: plane, normal: [0, 0, 1], center: ";
  expect_accepted({ground + "[0, 0, 3]}"});
  expect_refused({ground + "[0, 0, -3]}"}, "bodies.a", "outside");
}

TEST(CaseFlow, BodiesThatAreHardlyResolvedOrNearAFace) {
  expect_warned({"bodies.ball.radius=3.9"}, "bodies.ball: its smallest extent is 7.8 cells");
  EXPECT_EQ(warned({"bodies.ball.radius=4.1"}), "");
  expect_warned({"bodies.ball.center=[6,20,30]"}, "1 cells from boundaries.x_min");
  EXPECT_EQ(warned({"bodies.ball.center=[5,20,30]"}), "");  // it touches: no gap
  EXPECT_EQ(warned({"bodies.ball.center=[20,6,30]"}), "");  // periodic
  expect_warned({"bodies.ball.center=[20,20,80]"}, "0 cells from boundaries.z_max");
}

// A thin box makes the flow plane: what its bodies measure across it is no resolution.
TEST(CaseFlow, ABodyThroughTheBoxHasNoHeight) {
  const std::string thin = "grid.cells=[200,2,80]";  // wide: no blockage
  const std::string rod = "bodies.ball={shape: cylinder, reference_area: 20, from: [20,-1,30], ";
  EXPECT_EQ(warned({thin, rod + "to: [20,3,30], radius: 5}"}), "");
  expect_warned({thin, rod + "to: [20,3,30], radius: 3}"}, "its smallest extent is 6 cells");
  const std::string plate =
      "bodies.ball={shape: box, reference_area: 20, center: [20,1,30], size: ";
  EXPECT_EQ(warned({thin, plate + "[10, 2, 12]}"}), "");
  expect_warned({thin, plate + "[7, 2, 12]}"}, "its smallest extent is 7 cells");
}

TEST(CaseFlow, WallsThatDoNotKeepTheMassOfAClosedBox) {
  const std::string closed = "boundaries={x_min: wall, y_min: periodic, y_max: periodic}";
  for (const std::string walls : {"interpolated", "multireflection"}) {
    expect_warned({closed, "bodies.ball.walls=" + walls, "lattice.collision=regularised"},
                  "bodies.ball.walls: no face fixes the pressure, and walls: " + walls);
  }
  for (const std::string walls : {"auto", "conserving", "staircase"}) {
    EXPECT_EQ(warned({closed, "bodies.ball.walls=" + walls}), "") << walls;
  }
}

// Sound leaves through a far field, wakes do not.
TEST(CaseFlow, FarFieldsBehindBodies) {
  const std::string far = "{type: far_field, velocity: [0, 0, 1]}";
  EXPECT_EQ(warned({"boundaries.z_min=" + far, "boundaries.x_max=" + far}), "");
  expect_warned({"boundaries.z_max=" + far}, "boundaries.z_max: the stream leaves through this");
  EXPECT_EQ(warned({"boundaries.z_max=" + far, "bodies=null", "expect=null"}), "");
  expect_refused({"boundaries.z_max={type: far_field, profile: duct}"}, "boundaries.z_max.profile",
                 "requires type: velocity");
  expect_refused({"boundaries.z_max={type: far_field, period: 2}"}, "boundaries.z_max.period",
                 "requires type: wall");
}

TEST(CaseFlow, SpeedsOfEverythingThatMoves) {
  expect_refused({"boundaries.z_min.velocity=[0,0,2]"}, "boundaries.z_min.velocity", "Mach 0.346");
  expect_refused({"bodies.ball.velocity=[0,0,2]"}, "bodies.ball.velocity", "Mach 0.346");
  // 5 cells at 4 U / 10 cells: 2 U.
  expect_refused({"bodies.ball.angular_velocity=[0,0,4]"}, "bodies.ball.angular_velocity", "0.346");
  expect_accepted({"bodies.ball.angular_velocity=[0,0,3]"});
  expect_refused({"initial={flow: uniform, velocity: [0,0,2]}"}, "initial.velocity", "0.346");
  expect_warned({"boundaries.z_min.velocity=[0,0,1.5]"}, "boundaries.z_min.velocity: Mach 0.26");
  EXPECT_EQ(warned({"boundaries.z_min.velocity=[0,0,1.1]"}), "");
}

TEST(CaseFlow, AnInletAtRest) {
  expect_warned({"boundaries.z_min={type: velocity}"}, "boundaries.z_min.velocity: it is 0");
  EXPECT_EQ(warned({"boundaries.z_min={type: velocity, velocity: [0, 0.001, 0]}"}), "");
}

TEST(CaseFlow, ReferenceAreaOfAProfile) {
  const std::string wide = "grid.cells=[200,40,80]";
  const std::string post =
      "bodies={post: {shape: cylinder, from: [20, -5, 30], to: [20, 45, 30], radius: 5";
  expect_warned({wide, "expect={}", post + "}}"}, "bodies.post.reference_area: it is not given");
  EXPECT_EQ(warned({wide, "expect={}", post + ", reference_area: 400}}"}), "");
  // A part of the wall, and a body that ends inside.
  EXPECT_EQ(warned({wide, "expect={}",
                    "bodies={step: {shape: box, center: [5, 20, 40], size: [10, 40, 20]}}"}),
            "");
  EXPECT_EQ(
      warned({wide, "expect={}",
              "bodies={post: {shape: cylinder, from: [20, 10, 30], to: [20, 45, 30], radius: 5}}"}),
      "");
}

TEST(CaseFlow, MagicIsForTrtOnly) {
  expect_warned({"lattice.magic=0.25"}, "lattice.magic: it has no effect");
  EXPECT_EQ(warned({"lattice.magic=0.25", "lattice.collision=trt"}), "");
}

TEST(CaseFlow, MomentsNeedTheRegularisedCollision) {
  const Sets moments{"lattice.representation=moments"};
  expect_refused(moments, "lattice.representation",
                 "found moments, which conflicts with lattice.collision: bgk");
  EXPECT_EQ(warned({moments[0], "lattice.collision=regularised"}), "");
  expect_accepted({"lattice.representation=auto"});  // bgk: populations
}

TEST(CaseFlow, ForcesFlowsAndTheEndOfTheRun) {
  expect_accepted({"force.acceleration=[0,0,1]"});
  expect_accepted({"force={amplitude: [0,0,1], period: 2}"});
  expect_refused({"force.amplitude=[0,0,1]"}, "force.amplitude", "missing: force.period");
  expect_refused({"force.period=1"}, "force.period", "missing: force.amplitude");
  expect_refused({"initial.flow=uniform"}, "initial.velocity", "missing");
  expect_refused({"initial.velocity=[0,0,1]"}, "initial.velocity", "conflicts with initial.flow");
  expect_refused({"initial={flow: duct, velocity: [1,0,0]}"}, "initial.velocity", "along x");
  expect_accepted({"initial={flow: duct, velocity: [1,0,0], axis: x}"});
  expect_refused({"initial={flow: duct, disturbance: 0.1}"}, "initial.disturbance", "perturbed");
  expect_accepted({"initial={flow: perturbed_channel, disturbance: 0.1}"});
  expect_refused({"run.until_steady.every=1"}, "run.until_steady.every", "tolerance");
  expect_accepted({"run.until_steady={every: 1, tolerance: 1e-6}"});
  expect_refused({"run.density_range=[1.1,2]"}, "run.density_range=[1.1,2]", "1 between");
  Case c = tunnel_with({});
  c.run.density_range = {2, 3};
  EXPECT_NE(test::error_of([&] { validate(c); }).find("run.density_range"), std::string::npos);
}

TEST(CaseFlow, ValuesThatMakeNoSenseAreRefused) {
  const auto instead = [](const std::string& viscosity) {
    return Sets{"fluid={length: 10, " + viscosity + "}"};
  };
  expect_refused(instead("tau: 1e300"), "fluid.tau", "must be a number > 0.5 and < 1000");
  expect_refused(instead("reynolds: 1e-300"), "fluid.reynolds", "must give at most 1000");
  expect_refused(instead("viscosity: 1e300"), "fluid.viscosity", "must give at most 1000");
  expect_accepted(instead("tau: 900"));
  for (const char* magic : {"1e300", "10", "1e-300"}) {
    const std::string set = std::string("lattice.magic=") + magic;
    expect_refused({"lattice.collision=trt", set}, set, "must be a number > 1e-06 and < 10");
  }
  for (const char* tolerance : {"1e300", "1"}) {
    const std::string set = std::string("run.until_steady.tolerance=") + tolerance;
    expect_refused({set}, set, "must be a number > 0 and < 1");
  }
  // 100 steps to a convective time.
  const auto wall = [](const std::string& period) {
    return Sets{"boundaries.x_min={type: wall, velocity: [0, 1, 0], period: " + period + "}"};
  };
  expect_refused(wall("1e-300"), "boundaries.x_min.period", "must be at least 4");
  expect_refused(wall("0.039"), "boundaries.x_min.period", "which is 3.9 steps");
  expect_accepted(wall("0.041"));
  expect_refused({"force={amplitude: [0,0,1], period: 0.039}"}, "force.period", "3.9 steps");
  expect_accepted({"force={amplitude: [0,0,1], period: 0.041}"});
}

TEST(CaseFlow, Expectations) {
  const auto expected = [](const std::string& keys) { return Sets{"expect.a={" + keys + "}"}; };
  expect_accepted(expected("quantity: mass, value: 1, tolerance: 1e-6"));
  expect_accepted(
      expected("quantity: velocity.x, point: [1,2,3], value: 0, tolerance_absolute: 1"));
  expect_refused(expected("value: 1"), "expect.a.quantity", "missing: expect.a requires it");
  expect_refused(expected("quantity: drag, value: 1"), "expect.a.quantity", "one of force.x");
  expect_refused(expected("quantity: mass, tolerance: 1"), "expect.a.value",
                 "expect.a requires it");
  expect_refused(expected("quantity: mass, value: 1, body: ball, tolerance: 1"), "expect.a.body",
                 "conflicts with quantity: mass, requires quantity: force.x");
  expect_refused(expected("quantity: force.x, body: bal, value: 1, tolerance: 1"), "expect.a.body",
                 "found bal, must be a solid body");
  expect_refused({"bodies.ball.solid=false"}, "expect.drag.body", "solid: false");
  expect_refused(expected("quantity: mass, value: 1"), "expect.a.tolerance",
                 "missing: one of tolerance");
  expect_refused(expected("quantity: mass, value: 1, tolerance: 1, tolerance_absolute: 1"),
                 "expect.a.tolerance_absolute", "conflicts with tolerance");
  expect_refused(expected("quantity: mass, value: 0, tolerance: 1"), "expect.a.tolerance",
                 "tolerance_absolute");
  expect_refused(expected("quantity: velocity.x, point: [1,2,81], value: 1, tolerance: 1"),
                 "expect.a.point", "along z");
  expect_refused(expected("quantity: profile, profile: x, column: ux, file: no.csv, tolerance: 1"),
                 "expect.a.file", "exists");
  expect_refused(expected("quantity: profile, profile: x, column: vx, file: no.csv, tolerance: 1"),
                 "expect.a.column", "ux, uy, uz");
  expect_refused({"expect.drag.average_from=20"}, "expect.drag.average_from", "end of the run, 20");
  expect_accepted({"expect.drag.average_from=19"});
}

TEST(CaseFlow, NamesOfCasesBuiltInCode) {
  const auto error = [](const Case& c) { return test::error_of([&] { validate(c); }); };
  Case c = tunnel_with({});
  c.bodies.push_back(c.bodies[0]);
  EXPECT_NE(error(c).find("bodies: found the name \"ball\""), std::string::npos);
  c = tunnel_with({});
  c.expect[0].name = "a b";
  EXPECT_NE(error(c).find("expect: found the name \"a b\""), std::string::npos);
  c = tunnel_with({});
  c.faces[4].patches.resize(1);
  EXPECT_NE(error(c).find("boundaries.z_min.patches: found the name \"\""), std::string::npos);
}

}  // namespace
}  // namespace lbm::cases
