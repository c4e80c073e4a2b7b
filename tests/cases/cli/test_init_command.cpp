// SPDX-License-Identifier: Apache-2.0

// `lbm init`: the files that it writes, and its questions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/case/read/read_case.hpp"
#include "cases/case/units.hpp"
#include "cases/cli/init/init.hpp"
#include "cases/geometry/shape.hpp"
#include "solver/core/error.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::file_text;
using test::lbm_program;
using test::Outcome;
using test::run_line;

std::string data(const std::string& name) {
  return (std::filesystem::path(test::shipped_path("pipe")).parent_path() / "data" / name).string();
}

class InitCommand : public ::testing::Test {
 protected:
  std::string file(const std::string& name) const { return (scratch_.path() / name).string(); }
  Outcome init(const std::string& arguments, const std::string& name = "made.yaml") const {
    return lbm_program(fmt::format("init {} --out '{}'", arguments, file(name)));
  }
  void expect_refused(const std::string& arguments, const std::string& part) const {
    const Outcome result = init(arguments, "refused.yaml");
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_TRUE(result.err.starts_with("lbm: ")) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(file("refused.yaml"))) << arguments;
  }
  const lbm::testing::ScratchDirectory scratch_;
};

struct Made {
  std::string name;
  std::string arguments;
  std::string run;  // arguments of a short run; empty: none
};

class InitFlows : public InitCommand, public ::testing::WithParamInterface<Made> {};

// Without the warnings that are expected: a target that the grid does not bear, no Python here.
std::string warnings_in(const std::string& text) {
  std::istringstream lines(text);
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    const bool expected = line.find("fluid.target_reynolds") != std::string::npos ||
                          line.find("./python[pictures]") != std::string::npos;
    if (line.starts_with("warning: ") && !expected) found += line + "\n";
  }
  return found;
}

// The promise of the command: valid, no warning, and it runs.
TEST_P(InitFlows, CheckHasNoWarningsAndTheRunIsSane) {
  const Outcome made = init(GetParam().arguments);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(warnings_in(made.out), "");
  const std::string text = file_text(file("made.yaml"));
  EXPECT_EQ(text.find("# FACTS"), std::string::npos);
  EXPECT_NE(text.find("#   Reynolds number"), std::string::npos) << text;
  EXPECT_NE(text.find("#   memory"), std::string::npos) << text;
  const Outcome checked = lbm_program(fmt::format("check --full '{}'", file("made.yaml")));
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  EXPECT_EQ(warnings_in(checked.out), "");
  if (GetParam().run.empty()) return;
  const Outcome run = lbm_program(fmt::format("run '{}' --quiet --out '{}' {}", file("made.yaml"),
                                              file("results"), GetParam().run));
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(warnings_in(run.err), "");
  // For lbm film, the live page and the report.
  const std::filesystem::path results = file("results");
  EXPECT_TRUE(std::filesystem::exists(results / "monitor.csv"));
  EXPECT_TRUE(std::any_of(std::filesystem::directory_iterator(results), {},
                          [](const auto& one) { return one.path().extension() == ".picture"; }));
}

INSTANTIATE_TEST_SUITE_P(
    All, InitFlows,
    ::testing::Values(
        Made{"cavity", "cavity --cells 8000 --reynolds 100", "--set 'run={steps: 100}'"},
        Made{"cavity_in_two_dimensions", "cavity --dimensions 2 --reynolds 10000", ""},
        Made{"creeping_cavity", "cavity --reynolds 0.5", ""},
        Made{"fast_cavity", "cavity --cells 8000 --reynolds 1e6", ""},
        Made{"channel", "channel --height 0.01 --speed 0.02 --length 0.02 --cells 1500",
             "--expect"},
        Made{"duct", "channel --height 0.01 --width 0.02 --speed 0.1 --fluid water", ""},
        Made{"fast_channel", "channel --height 0.1 --speed 20", ""},
        Made{"pipe", "pipe --diameter 0.01 --speed 0.02 --length 0.002 --cells 4000", "--expect"},
        Made{"fast_pipe", "pipe --diameter 0.05 --speed 2 --fluid water", ""},
        Made{"tunnel",
             fmt::format("wind_tunnel --stl '{}' --stream z --length 0.02 --speed 0.02",
                         data("spheroid.stl")),
             ""},
        Made{"car",
             fmt::format("wind_tunnel --stl '{}' --stream=-z --up x --length 4.2 --speed 30 "
                         "--ground yes --cells 1e5",
                         data("spheroid.stl")),
             "--set 'run={steps: 150}' --set output.at_end=false --set "
             "outputs.middle.every_time=0.01 "
             "--set quantities.drag.start=0.001 --set quantities.lift.start=0.001"},
        Made{"rock", fmt::format("porous --image '{}' --voxel 5e-6", data("grains_48.npy")),
             "--set run.steps=100 --set output.at_end=false"}),
    [](const auto& made) { return made.param.name; });

TEST_F(InitCommand, WrongInputIsOneLineWithTheRemedy) {
  const std::string stl = fmt::format("--stl '{}'", data("spheroid.stl"));
  expect_refused("cavty", "found \"cavty\", must be cavity, channel");
  expect_refused("cavity --cells 30", "must be at least 16: give ");
  expect_refused("cavity --cells many", "--cells: found \"many\"");
  expect_refused("cavity --reynolds -5", "--reynolds: found \"-5\", must be a number > 0");
  expect_refused("cavity --reynolds 1e-320", "--reynolds: found \"1e-320\", must be a number > 0");
  expect_refused("channel --height 1e-320 --speed 1", "--height: found \"1e-320\", must be");
  expect_refused("channel --height 1 --speed 1e300", "--speed: found \"1e300\", must be");
  expect_refused("cavity --dimensions 4", "--dimensions: found \"4\", must be 2, 3");
  expect_refused("channel --speed 1", "missing: --height M");
  expect_refused("wind_tunnel --speed 1 --length 1", "missing: --stl FILE");
  expect_refused("wind_tunnel --stl /none.stl --speed 1 --length 1", "/none.stl");
  expect_refused("wind_tunnel --speed 1 " + stl, "missing: --length M, or --scale M: the body in");
  expect_refused("wind_tunnel --speed 1 --length 1 --scale 1 " + stl, "found both");
  expect_refused("wind_tunnel --speed 1 --length 1 --up x " + stl, "must be another axis");
  expect_refused("wind_tunnel --speed 1 --length 1 --cells 500 " + stl, "the box around the body");
  expect_refused(fmt::format("porous --image '{}' --voxel 1e-6 --pore 7", data("grains_48.npy")),
                 "one of the labels 0, 1");
  expect_refused(fmt::format("porous --image '{}' --voxel 1e-6 --cells 7", data("grains_48.npy")),
                 "--cells");
  const Outcome none = lbm_program("init");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no flow given"), std::string::npos) << none.err;
}

TEST_F(InitCommand, AnOpenSurfaceNamesTheOptionAndIsTakenWithIt) {
  std::ofstream(file("sheet.stl"))
      << "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 "
         "0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
  const std::string arguments = fmt::format(
      "wind_tunnel --stl '{}' --up y --stream x --speed 1 --length 1", file("sheet.stl"));
  expect_refused(arguments, "--open fill or --open shell");
}

TEST_F(InitCommand, NothingIsOverwrittenUnasked) {
  ASSERT_EQ(init("cavity").exit_code, 0);
  std::ofstream(file("made.yaml")) << "mine";
  const Outcome refused = init("cavity");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("exists already"), std::string::npos) << refused.err;
  EXPECT_EQ(file_text(file("made.yaml")), "mine");
  EXPECT_EQ(init("cavity --overwrite").exit_code, 0);
  EXPECT_NE(file_text(file("made.yaml")), "mine");
  EXPECT_EQ(init("cavity", "none/made.yaml").exit_code, 2);
}

// The cell Reynolds number selects the collision model. Where it is too large for every model, the
// Reynolds number of the case is lowered.
TEST_F(InitCommand, ModelsAreChosenByTheCellReynoldsNumber) {
  const auto chosen = [&](const std::string& arguments) {
    const Outcome result = init("cavity --overwrite --dimensions 2 --cells 8192 " + arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_case(file("made.yaml"));
  };
  EXPECT_EQ(chosen("--reynolds 1000").lattice.collision, CollisionKind::trt);
  const Case filtered = chosen("--reynolds 3200");
  EXPECT_EQ(filtered.lattice.collision, CollisionKind::regularised_filtered);
  EXPECT_EQ(filtered.fluid.reynolds, 3200);
  const Case lowered = chosen("--reynolds 64000");  // a cell Reynolds number of 1000; 100 is borne
  EXPECT_EQ(lowered.lattice.collision, CollisionKind::regularised_filtered);
  EXPECT_NEAR(*lowered.fluid.reynolds, 6400, 100);
  EXPECT_EQ(lowered.fluid.target_reynolds, 64000);
  EXPECT_FALSE(filtered.fluid.target_reynolds);
  // Without --cells the grid grows instead.
  ASSERT_EQ(init("cavity --overwrite --dimensions 2 --reynolds 64000").exit_code, 0);
  EXPECT_EQ(read_case(file("made.yaml")).fluid.reynolds, 64000);
}

TEST_F(InitCommand, TheRealReynoldsNumberMayBeKept) {
  const std::string arguments = fmt::format(
      "wind_tunnel --stl '{}' --stream z --length 4 --speed 30 --cells 1e5 --reynolds keep",
      data("spheroid.stl"));
  const Outcome result = init(arguments);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("warning: "), std::string::npos) << result.out;
  const Case made = read_case(file("made.yaml"));
  EXPECT_EQ(made.lattice.smagorinsky, 0.1);
  EXPECT_EQ(made.fluid.viscosity, 1.5e-5);
  EXPECT_NE(result.out.find("walls of bodies are not resolved"), std::string::npos) << result.out;
}

TEST_F(InitCommand, ARaisedViscosityKeepsTheReynoldsNumberThatWasAskedFor) {
  for (const std::string& flow :
       {fmt::format("wind_tunnel --stl '{}' --stream z --length 4 --speed 30 --cells 1e5",
                    data("spheroid.stl")),
        std::string("pipe --diameter 0.4 --speed 3000 --cells 1e5"),
        std::string("channel --height 0.4 --speed 3000 --cells 1e5")}) {
    const Outcome result = init(flow + " --overwrite");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Case made = read_case(file("made.yaml"));
    const double length = *made.fluid.length, speed = *made.fluid.velocity;
    ASSERT_TRUE(made.fluid.target_reynolds) << flow;
    EXPECT_NEAR(*made.fluid.target_reynolds / (length * speed / 1.5e-5), 1, 1e-4) << flow;
    EXPECT_LT(derive(made).reynolds, 0.01 * *made.fluid.target_reynolds) << flow;
  }
}

TEST_F(InitCommand, NamesWithSpacesAndQuotesWork) {
  const std::string stl = file("my \"car\".stl");
  std::filesystem::copy_file(data("spheroid.stl"), stl);
  std::filesystem::create_directory(file("sub"));
  const Outcome result = run_line(fmt::format(
      "cd '{}' && '{}' init wind_tunnel --stl 'my \"car\".stl' --length 1 --speed 1 --out "
      "'sub/my car.yaml'",
      scratch_.path().string(), LBM_PROGRAM));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("lbm run 'sub/my car.yaml'"), std::string::npos) << result.out;
  const Case made = read_case(file("sub/my car.yaml"));
  EXPECT_EQ(made.name, "my_car");
  EXPECT_EQ(made.bodies.at(0).file, "../my \"car\".stl");
  EXPECT_EQ(lbm_program(fmt::format("check '{}'", file("sub/my car.yaml"))).exit_code, 0);
}

TEST_F(InitCommand, JsonHasTheChoicesAndTheCheck) {
  const Outcome result = init("cavity --json --reynolds 400");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["file"], file("made.yaml"));
  EXPECT_EQ(json["flow"], "cavity");
  EXPECT_EQ(json["check"]["reynolds"], 400);
  EXPECT_EQ(json["command"], "lbm init cavity --reynolds 400");
  EXPECT_EQ(json["chosen"].size(), 3U);
}

// Previews that are drawn: tests/python/display/test_pictures.py.
TEST_F(InitCommand, WritesNothingWithoutItsPreview) {
  const std::string picture = file("made.png");
  const Outcome none = init("cavity --reynolds 400 --preview " + picture, "other.yaml");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("pip install"), std::string::npos) << none.err;
  lbm::testing::write_text(picture, "mine");
  const Outcome again = init("cavity --reynolds 400 --preview " + picture, "other.yaml");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("made.png: exists"), std::string::npos) << again.err;
  EXPECT_FALSE(std::filesystem::exists(file("other.yaml")));
}

TEST_F(InitCommand, AsksWhatIsMissing) {
  std::istringstream in("9\nchannel\n\n0.01\n0.05\n\n\noil\nwater\n\n\n");
  std::ostringstream out;
  Options options;
  options.set("out", file("asked.yaml"));
  EXPECT_EQ(init_command("", options, &in, &out), 0);
  EXPECT_NE(out.str().find("\"9\" is none of them"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("an answer is needed"), std::string::npos) << out.str();
  EXPECT_NE(out.str().find("found \"oil\", must be air, water"), std::string::npos) << out.str();
  const Case made = read_case(file("asked.yaml"));
  EXPECT_EQ(made.fluid.length, 0.01);
  EXPECT_EQ(made.fluid.velocity, 0.05);
  EXPECT_EQ(made.fluid.viscosity, 1e-6);
  EXPECT_NE(file_text(file("asked.yaml"))
                .find("lbm init channel --height 0.01 --speed 0.05 --fluid water"),
            std::string::npos);
}

TEST_F(InitCommand, AsksOnlyForWhatIsRequiredOnceAnOptionIsGiven) {
  std::istringstream in("0.05\n");
  std::ostringstream out;
  Options options;
  options.set("diameter", "0.01");
  options.set("out", file("asked.yaml"));
  EXPECT_EQ(init_command("pipe", options, &in, &out), 0);
  EXPECT_EQ(read_case(file("asked.yaml")).fluid.velocity, 0.05);
  std::istringstream ends("");
  options.set("out", file("never.yaml"));
  EXPECT_THROW(init_command("pipe", options, &ends, &out), UsageError);
  EXPECT_FALSE(std::filesystem::exists(file("never.yaml")));
}

// Each of the 24 ways in which a body may lie.
TEST(Rotations, TurnTheStreamToZAndUpToY) {
  int count = 0;
  const auto direction = [](int axis) {
    Vec3 v{0, 0, 0};
    v[static_cast<std::size_t>(axis / 2)] = axis % 2 == 0 ? 1 : -1;
    return v;
  };
  for (int stream = 0; stream < 6; ++stream) {
    for (int up = 0; up < 6; ++up) {
      if (stream / 2 == up / 2) continue;
      ++count;
      geometry::Affine turn;
      for (const Rotation& r : init::rotations(direction(stream), direction(up))) {
        turn = geometry::rotation(r.axis, r.degrees) * turn;
      }
      EXPECT_EQ(turn(direction(stream)), (Vec3{0, 0, 1})) << stream << up;
      EXPECT_EQ(turn(direction(up)), (Vec3{0, 1, 0})) << stream << up;
    }
  }
  EXPECT_EQ(count, 24);
}

}  // namespace
}  // namespace lbm::cases
