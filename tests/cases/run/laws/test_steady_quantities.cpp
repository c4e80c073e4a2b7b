// SPDX-License-Identifier: Apache-2.0

// Runs that end where quantities are steady, at the same step for any schedule and after a restart.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases::test {
namespace {

const std::string drag_and_flow = duct + R"(
quantities:
  drag: {kind: force, bodies: [low], direction: [0, 0, 1], every_steps: 30}
  flow: {kind: flow_rate, slice: z, at: 6}
)";

// The run ends once the named quantities are steady, at the same step with any schedule and after a
// restart; the energy is not asked.
TEST(Quantities, EndTheRunWhereTheyAreSteady) {
  const std::string until =
      "--set 'run.until_steady={tolerance: 1e-4, every: 0.2, quantities: [drag, flow]}'";
  const FinishedRun run(drag_and_flow, until);
  const int steps = run.report["steps"].as<int>();
  EXPECT_EQ(run.report["exit_reason"].as<std::string>(), "steady");
  EXPECT_LT(steps, 20000);
  EXPECT_NEAR(run.value("drag"), 0.1 / 512 * 4 * 4 * 12, 1e-3 * 0.1 / 512 * 4 * 4 * 12);
  const FinishedRun other(drag_and_flow,
                          until + " --set tiling.scheme=wavefront --set tiling.steps_per_visit=7");
  EXPECT_EQ(other.report["steps"].as<int>(), steps);
  EXPECT_EQ(other.value("flow"), run.value("flow"));
  const std::string half = std::to_string(steps / 2);
  const FinishedRun begun(drag_and_flow,
                          until + " --set run.steps=" + half + " --set checkpoint.at_end=true");
  EXPECT_EQ(begun.report["exit_reason"].as<std::string>(), "completed");
  const auto restarted =
      lbm_program(fmt::format("run '{}' --quiet --set device.backend=cpu {} --restart '{}'",
                              (begun.scratch.path() / "case.yaml").string(), until,
                              (begun.scratch.path() / "out").string()));
  EXPECT_EQ(restarted.exit_code, 0) << restarted.err;
  const YAML::Node report = YAML::LoadFile((begun.scratch.path() / "out" / "report.json").string());
  EXPECT_EQ(report["steps"].as<int>(), steps);
}

const std::string until_small_errors =
    "--set 'run.until_steady={error: 1e-3, quantities: [drag, flow]}' --set run.steps=20000 ";

// With an error the run ends at the same step with any schedule, and the report has the limits: the
// drag is the force on the fluid.
TEST(Quantities, EndTheRunWhereTheirErrorsAreSmall) {
  const FinishedRun run(drag_and_flow, until_small_errors);
  EXPECT_EQ(run.report["exit_reason"].as<std::string>(), "steady");
  const YAML::Node limits = run.report["until_steady"];
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0]["name"].as<std::string>(), "drag");
  EXPECT_EQ(limits[1]["name"].as<std::string>(), "flow");
  EXPECT_EQ(limits[0]["step"].as<int>(), run.report["steps"].as<int>() - 2);
  const double drag = 0.1 / 512 * 4 * 4 * 12;
  EXPECT_NEAR(limits[0]["limit"].as<double>(), drag, 2e-4 * drag);
  EXPECT_LT(limits[0]["error"].as<double>(), 1e-3);
  EXPECT_LT(std::abs(limits[0]["value"].as<double>() / drag - 1),
            2 * limits[0]["error"].as<double>());
  const FinishedRun other(
      drag_and_flow,
      until_small_errors + "--set tiling.scheme=wavefront --set tiling.steps_per_visit=7");
  EXPECT_EQ(YAML::Dump(other.report["until_steady"]), YAML::Dump(limits));
  EXPECT_EQ(other.value("flow"), run.value("flow"));
}

// Ranks sum and judge the quantities together, those of the energy too.
TEST_F(Processes, EndWhereErrorsAreSmallAtTheStepOfOneProcess) {
  const Runs runs(drag_and_flow);
  for (const std::string& until :
       {until_small_errors,
        std::string("--set 'run.until_steady={error: 1e-3}' --set run.steps=20000 ")}) {
    ASSERT_EQ(runs.run("one", until + "--overwrite").exit_code, 0);
    const YAML::Node one = YAML::Load(runs.text("one/report.json"));
    ASSERT_EQ(one["exit_reason"].as<std::string>(), "steady");
    ASSERT_GT(one["until_steady"].size(), 0U);
    for (const int processes : {2, 4}) {
      const Outcome outcome = several(processes, runs.line("several", until + "--overwrite"));
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
      const YAML::Node report = YAML::Load(runs.text("several/report.json"));
      EXPECT_EQ(report["processes"].as<int>(), processes);
      EXPECT_EQ(report["exit_reason"].as<std::string>(), "steady");
      EXPECT_EQ(report["steps"].as<int>(), one["steps"].as<int>());
      EXPECT_EQ(YAML::Dump(report["until_steady"]), YAML::Dump(one["until_steady"]));
      EXPECT_EQ(YAML::Dump(report["quantities"]), YAML::Dump(one["quantities"]));
      EXPECT_EQ(results_in(runs.path("several")), results_in(runs.path("one")));
    }
  }
}

// One quantity that keeps changing keeps the run from its early end.
TEST(Quantities, AreSteadyOnlyAllOfThem) {
  for (const char* until : {"tolerance: 1e-3, every: 0.2", "error: 1e-2"}) {
    const FinishedRun run(
        duct + R"(
quantities:
  drag: {kind: force, bodies: [low], direction: [0, 0, 1]}
  swing: {kind: point, field: velocity.y, point: [6, 2, 6]}
)",
        fmt::format("--set run.steps=6000 --set force.amplitude=[0,0.5,0] --set force.period=0.31 "
                    "--set 'run.until_steady={{{}, quantities: [drag, swing]}}'",
                    until));
    EXPECT_EQ(run.report["exit_reason"].as<std::string>(), "completed");
  }
}

// Saved series go on after a restart only for the same quantity.
TEST(Quantities, StartAnewWhereTheyChange) {
  const std::string swing =
      duct + "quantities: {swing: {kind: point, field: velocity.z, point: [6, 2, 6]}}\n";
  for (const bool changed : {false, true}) {
    const FinishedRun begun(swing, "--set run.steps=100 --set checkpoint.at_end=true");
    const auto out = lbm_program(fmt::format(
        "run '{}' --quiet --set device.backend=cpu --set run.steps=160 --restart '{}' {}",
        (begun.scratch.path() / "case.yaml").string(), (begun.scratch.path() / "out").string(),
        changed ? "--set quantities.swing.every_steps=2" : ""));
    EXPECT_EQ(out.exit_code, 0) << out.err;
    const auto report = YAML::LoadFile((begun.scratch.path() / "out" / "report.json").string());
    EXPECT_EQ(report["quantities"][0]["samples"].as<int>(), changed ? 30 : 160);
  }
}

}  // namespace
}  // namespace lbm::cases::test
