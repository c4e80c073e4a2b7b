// SPDX-License-Identifier: Apache-2.0

// The data of pictures, without a Python that draws them (LBM_PYTHON): made when they are due,
// wrong keys are refused. That they are the same for every schedule and number of ranks is tested
// with all other results (ResultsWith, Ranks); what is drawn:
// tests/python/display/test_pictures.py.
#include <set>

#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

std::set<std::string> pictures_in(const fs::path& directory) {
  std::set<std::string> names;
  for (const std::string& name : lbm::testing::names_in(directory)) {
    if (name.ends_with(".picture")) names.insert(name);
  }
  return names;
}

const std::string mid = "pictures:\n  mid: {slice: y, every_steps: 50, size: [400, 300]}\n";

TEST(Pictures, AreMadeWhenTheyAreDue) {
  const Runs runs(vortex + mid);
  ASSERT_EQ(runs.run("o").exit_code, 0);
  EXPECT_EQ(pictures_in(runs.path("o")),
            (std::set<std::string>{"mid_000000050.picture", "mid_000000100.picture",
                                   "mid_000000120.picture"}));
  const std::string report = runs.text("o/report.json");
  EXPECT_TRUE(has(report, "mid_000000100.picture"));
  EXPECT_TRUE(has(report, "lbm pictures ")) << "draws them";
  const std::string bytes = runs.text("o/mid_000000050.picture");
  EXPECT_TRUE(has(bytes.substr(0, bytes.find('\n')), "\"size\":[400,300]"));
}

TEST(Pictures, AreResultsThatNoOtherRunOverwrites) {
  const Runs runs(vortex + mid + "checkpoint: {on_signal: false}\n");
  ASSERT_EQ(runs.run("o", "--set output.every_steps=1000").exit_code, 0);
  for (const std::string& name : lbm::testing::names_in(runs.path("o"))) {
    if (!name.ends_with(".picture")) fs::remove_all(runs.path("o") / name);
  }
  lbm::testing::write_text(runs.path("o") / "photo.png", "the user's");
  expect_one_line(runs.run("o"), 2, "mid_000000050.picture");
  ASSERT_EQ(runs.run("o", "--overwrite").exit_code, 0);
  EXPECT_TRUE(fs::exists(runs.path("o") / "old-1" / "mid_000000050.picture"));
  EXPECT_EQ(runs.text("o/photo.png"), "the user's");
}

TEST(Pictures, GoOnAfterARestart) {
  const Runs runs(vortex + "pictures: {p: {slice: x, every_steps: 10, at_end: false}}\n");
  ASSERT_EQ(runs.run("whole").exit_code, 0);
  ASSERT_EQ(runs.run("parts", "--set run.steps=80 --set checkpoint.every_steps=50").exit_code, 0);
  ASSERT_TRUE(fs::exists(runs.path("parts/p_000000080.picture")));
  for (const char* later : {"p_000000110.picture", "p_000000111.png"}) {
    lbm::testing::write_text(runs.path("parts") / later, "of a later step than the checkpoint");
  }
  const Outcome again = runs.restart("parts", "--set run.steps=120");
  ASSERT_EQ(again.exit_code, 0) << again.err;
  expect_same_results(runs.path("whole"), runs.path("parts"));
}

TEST(Pictures, SurfacesWhoseValueIsNeverMetAreWarnedOf) {
  const Runs runs(vortex +
                  "pictures:\n"
                  "  high: {surface: speed, value: 1000, every_steps: 60}\n"
                  "  low: {surface: pressure, value: -1e9}\n"
                  "  met: {surface: speed, value: 0.3}\n");
  const Outcome outcome = runs.run("o");
  ASSERT_EQ(outcome.exit_code, 0);
  const std::string report = runs.text("o/report.json");
  EXPECT_TRUE(has(report, "pictures.high.value: found 1000, which no picture"));
  EXPECT_TRUE(has(report, "speed is below it everywhere"));
  EXPECT_TRUE(has(report, "pressure is above it everywhere"));
  EXPECT_FALSE(has(report, "pictures.met.value"));
}

TEST(Pictures, WrongKeysAreRefused) {
  const auto refused = [](const std::string& keys) {
    const Runs runs(vortex + "pictures:\n  p: {" + keys + "}\n");
    const Outcome outcome = lbm_program("check '" + runs.path("case.yaml").string() + "'");
    EXPECT_EQ(outcome.exit_code, 2) << keys;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(has(refused("quantity: speed"), "pictures.p.slice: missing: one of slice, project"));
  EXPECT_TRUE(has(refused("slice: y, project: z"), "pictures.p.project: conflicts with slice"));
  EXPECT_TRUE(has(refused("project: z, at: 3"), "pictures.p.at: missing: slice"));
  EXPECT_TRUE(has(refused("slice: y, at: 99"), "pictures.p.at"));
  EXPECT_TRUE(has(refused("slice: y, at_end: false"), "p.at_end: missing: every_steps"));
  EXPECT_TRUE(has(refused("slice: y, range: [1, 1]"), "the smaller one first"));
  for (const std::string range : {"[1, 1.0000000000000002]", "[1e300, 2e300]", "[0, 5e-324]",
                                  "[-1e308, 1e308]", "[100000, 100000.01]"}) {
    EXPECT_TRUE(has(refused("slice: y, range: " + range), "range: found")) << range;
  }
  EXPECT_TRUE(has(refused("slice: y, size: [100, 9000]"), "pictures.p.size"));
  EXPECT_TRUE(has(refused("slice: y, colours: jet"), "must be one of viridis"));
  EXPECT_TRUE(has(refused("slice: y, units: physical"), "requires units: si"));
  EXPECT_TRUE(has(refused("slice: y, times: [1e9]"), "the end of the run"));
  EXPECT_TRUE(has(refused("slice: y, quantity: sped"), "speed"));
  EXPECT_TRUE(has(refused("surface: speed"), "pictures.p.surface: missing: value"));
  EXPECT_TRUE(has(refused("surface: speed, value: 1, slice: y"), "conflicts with slice"));
  EXPECT_TRUE(has(refused("surface: speed, value: 1, project: y"), "conflicts with project"));
  EXPECT_TRUE(has(refused("slice: y, view: [0, 0]"), "pictures.p.view: missing: surface"));
  EXPECT_TRUE(has(refused("surface: speed, value: 1, view: [0, 91]"), "-90 to 90"));
  EXPECT_TRUE(has(refused("surface: speed, value: 1, box_from: [0, 0, 0], box_to: [9, 1, 9]"),
                  "two along each axis"));
}

TEST(Pictures, ThePlanHasThem) {
  const Runs runs(vortex + mid);
  const Outcome plan = lbm_program("plan '" + runs.path("case.yaml").string() + "' --json");
  ASSERT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_TRUE(has(plan.out, "\"pictures.mid\""));
  EXPECT_TRUE(has(plan.out, "\"pictures\""));
}

}  // namespace
}  // namespace lbm::cases::test
