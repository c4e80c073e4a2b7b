// SPDX-License-Identifier: Apache-2.0

// lattice.representation: auto in the program: check, plan, run, restart and ranks say the same.
#include "tests/cases/run/pretended_speeds.hpp"
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

using test::expect_same_results;
using test::has;
using test::Outcome;
using test::Processes;
using test::Runs;
using test::several;

// Every run below has two threads, whose speeds are made up.
const std::string automatic =
    "--set lattice.collision=regularised_filtered --set lattice.representation=auto "
    "--set device.threads=2 ";
constexpr double slow = 2e9, fast = 2e10;

class RepresentationAuto : public Processes {
 protected:
  std::string word(const std::string& file, const char* key) const {
    return YAML::Load(runs_.text(file))[key].as<std::string>();
  }
  YAML::Node said(const std::string& command, const std::string& more = automatic) const {
    const Outcome outcome =
        test::lbm_program(fmt::format("{} '{}' --json --set device.backend=cpu {}", command,
                                      runs_.path("case.yaml").string(), more));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return YAML::Load(outcome.out);
  }

  const Runs runs_{test::with_results(test::windy)};
  const test::PretendedSpeeds speeds_{runs_.path("cache")};
};

// Made-up speeds in favour of either one change nothing.
TEST_F(RepresentationAuto, IsMomentsInCheckPlanAndRunWhateverTheSpeedsAre) {
  for (const bool moments : {true, false}) {
    speeds_.pretend(2, moments ? slow : fast, moments ? fast : slow);
    const std::string name = moments ? "one" : "two";
    const Outcome outcome = runs_.run(name, automatic);
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(word(name + "/report.json", "representation"), "moments");
    const std::string reason = word(name + "/report.json", "representation_reason");
    EXPECT_NE(reason, "");
    for (const char* command : {"check", "plan"}) {
      EXPECT_EQ(said(command)["representation"].as<std::string>(), "moments") << command;
      EXPECT_EQ(said(command)["representation_reason"].as<std::string>(), reason) << command;
    }
    EXPECT_TRUE(has(runs_.text(name + "/effective_case.yaml"), "representation: moments"));
  }
  ASSERT_EQ(runs_.run("stated", automatic + "--set lattice.representation=moments").exit_code, 0);
  EXPECT_EQ(word("stated/report.json", "representation_reason"), "");
  for (const char* name : {"one", "two"})
    expect_same_results(runs_.path("stated"), runs_.path(name));
}

TEST_F(RepresentationAuto, TakesThatOfTheCheckpointAfterARestart) {
  const std::string stated = automatic + "--set lattice.representation=populations ";
  ASSERT_EQ(runs_.run("whole", stated).exit_code, 0);
  const std::string half = stated + "--set run.steps=80 --set checkpoint.every_steps=50";
  ASSERT_EQ(runs_.run("parts", half).exit_code, 0);
  const Outcome second = runs_.restart("parts/checkpoint_000000050.h5", automatic);
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(word("parts/report.json", "representation"), "populations");
  EXPECT_EQ(word("parts/report.json", "representation_reason"), "as in the checkpoint");
  expect_same_results(runs_.path("whole"), runs_.path("parts"));
  const Outcome other = runs_.restart("parts/checkpoint_000000050.h5",
                                      automatic + "--set lattice.representation=moments");
  test::expect_one_line(other, 2, "lattice.representation: populations -> moments");
}

TEST_F(RepresentationAuto, IsTheSameInAllRanks) {
  const Outcome outcome = several(2, runs_.line("two", automatic));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(word("two/report.json", "representation"), "moments");
  ASSERT_EQ(runs_.run("alone", automatic).exit_code, 0);
  expect_same_results(runs_.path("alone"), runs_.path("two"));
}

TEST_F(RepresentationAuto, IsPopulationsWithOtherCollisionsInOneRankAndInSeveral) {
  const std::string trt = automatic + "--set lattice.collision=trt ";
  EXPECT_EQ(said("check", trt)["representation"].as<std::string>(), "populations");
  EXPECT_EQ(said("plan", trt)["representations"].size(), 0U);
  ASSERT_EQ(runs_.run("one", trt).exit_code, 0);
  const Outcome shared = several(2, runs_.line("two", trt));
  ASSERT_EQ(shared.exit_code, 0) << shared.err;
  EXPECT_EQ(word("two/report.json", "representation"), "populations");
  expect_same_results(runs_.path("one"), runs_.path("two"));
}

TEST_F(RepresentationAuto, PlanComparesBoth) {
  speeds_.pretend(2, slow, fast);
  // A fixed limit: free memory changes between two commands while other tests run.
  const std::string limited = automatic + "--set host.memory_limit=2e9 ";
  const YAML::Node plan = said("plan", limited + "--set lattice.representation=populations");
  const YAML::Node rows = plan["representations"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["representation"].as<std::string>(), "populations");
  EXPECT_EQ(rows[0]["bytes_per_cell"].as<double>(), 76);
  EXPECT_EQ(rows[1]["bytes_per_cell"].as<double>(), 40);
  EXPECT_EQ(rows[0]["mlups"].as<double>(), plan["mlups"].as<double>());
  EXPECT_GT(rows[1]["mlups"].as<double>(), 10 * rows[0]["mlups"].as<double>());
  EXPECT_GT(rows[1]["largest_cells"][2].as<int>(), rows[0]["largest_cells"][2].as<int>());
  // As the plan of the other representation says it.
  const YAML::Node other = said("plan", limited + "--set lattice.representation=moments");
  EXPECT_EQ(other["mlups"].as<double>(), rows[1]["mlups"].as<double>());
  EXPECT_EQ(other["largest_cells"].as<std::vector<int>>(),
            rows[1]["largest_cells"].as<std::vector<int>>());
}

}  // namespace
}  // namespace lbm::cases
