// SPDX-License-Identifier: Apache-2.0

// Output of `lbm run` about the flow: on the terminal, in the summary and in run.log.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cases/cli/terminal/progress.hpp"
#include "tests/cases/case_support.hpp"
#include "tests/cases/program.hpp"
#include "tests/io/scratch.hpp"

namespace lbm::cases {
namespace {

using test::file_text;
using test::lbm_program;
using test::Outcome;

// A body in a stream in SI units, with looks at whether it is steady.
const std::string body_in_stream =
    "name: stream\nunits: si\n"
    "grid: {cells: [16, 16, 24], spacing: 0.01}\n"
    "boundaries: {x_min: slip, x_max: slip, y_min: slip, y_max: slip,\n"
    "  z_min: {type: velocity, velocity: [0, 0, 0.2]}, z_max: outflow}\n"
    "bodies: {ball: {shape: sphere, center: [0.08, 0.08, 0.1], radius: 0.04}}\n"
    "fluid: {length: 0.08, velocity: 0.2, viscosity: 8e-4, lattice_velocity: 0.05}\n"
    "lattice: {collision: trt}\n"
    "device: {backend: cpu}\n"
    "output: {at_end: false, profiles: false}\n"
    "run: {steps: 200, until_steady: {tolerance: 1e-6, every: 0.05}}\n";

class RunLogs : public ::testing::Test {
 protected:
  RunLogs() { std::ofstream(path("case.yaml")) << body_in_stream; }
  std::string path(const std::string& name) const { return (scratch_.path() / name).string(); }
  Outcome run(const std::string& more) const {
    return lbm_program(fmt::format("run '{}' --out '{}' {}", path("case.yaml"), path("out"), more));
  }
  const lbm::testing::ScratchDirectory scratch_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(RunLogs, TheSummaryHasTheFlow) {
  const Outcome outcome = run("");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(has(outcome.out, "\nflow: largest speed 0.")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, " m/s (Mach ")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\nbody ball: force (")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, " N, coefficients (")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\nnot steady: the kinetic energy changed by ")) << outcome.out;
}

TEST_F(RunLogs, TheTargetStandsBesideEachForce) {
  const std::string target =
      "--set fluid.target_reynolds=5.3e6 --set output.monitor=10 --set "
      "'quantities={drag: {kind: coefficient, bodies: [ball], direction: "
      "[0, 0, 1], every_steps: 10}}'";
  const Outcome outcome = run(target);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const std::string caution = "at Re 20, target 5.3e+06";
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("body ") || line.starts_with("quantity ")) {
      EXPECT_TRUE(line.ends_with("; " + caution)) << line;
    }
  }
  EXPECT_TRUE(has(outcome.out, ", Re 20 (target 5.3e+06), ")) << outcome.out;
  EXPECT_TRUE(has(outcome.err, "warning: --set fluid.target_reynolds: ")) << outcome.err;
  const auto report = nlohmann::json::parse(file_text(path("out/report.json")));
  EXPECT_EQ(report["flow"]["target_reynolds"], 5.3e6);
  EXPECT_EQ(report["bodies"][0]["caution"], caution);
  EXPECT_EQ(report["quantities"][0]["caution"], caution);
  for (const char* table : {"out/forces_ball.csv", "out/quantity_drag.csv"}) {
    EXPECT_TRUE(has(file_text(path(table)), "# caution: " + caution + "\n")) << table;
  }
  const std::string sets = fmt::format("'{}' {}", path("case.yaml"), target);
  const auto json_of = [&](const std::string& command) {
    return nlohmann::json::parse(lbm_program(command + " --json " + sets).out);
  };
  for (const std::string command : {"check", "plan"}) {
    EXPECT_TRUE(has(lbm_program(command + " " + sets).out, "20 (target 5.3e+06)")) << command;
    EXPECT_EQ(json_of(command)["target_reynolds"], 5.3e6) << command;
    EXPECT_EQ(json_of(command)["reynolds"], 20) << command;
  }
  const Outcome without = run("--overwrite");
  EXPECT_FALSE(has(without.out, "target")) << without.out;
  EXPECT_EQ(nlohmann::json::parse(file_text(path("out/report.json")))["bodies"][0]["caution"],
            nullptr);
}

// A run from step 3200 to 3520.
TEST(ProgressLines, CountFromTheStepOfTheRestart) {
  Progress progress(stdout, true, 3520, 320, 1000);
  progress.update(160);
  EXPECT_TRUE(has(progress.text(), " 95 %  step 3360 of 3520")) << progress.text();
  progress.update(320);
  EXPECT_TRUE(has(progress.text(), "100 %  step 3520 of 3520")) << progress.text();
  Progress whole(stdout, true, 3520, 3520, 1000);
  whole.update(1760);
  EXPECT_TRUE(has(whole.text(), " 50 %  step 1760 of 3520")) << whole.text();
  Progress done(stdout, true, 3520, 0, 1000);  // a restart at the end
  done.update(0.5);
  EXPECT_TRUE(has(done.text(), "100 %  step 3520 of 3520")) << done.text();
}

TEST_F(RunLogs, TheLogHasWhatWasPrintedAlsoWhenQuiet) {
  ASSERT_EQ(run("--quiet").exit_code, 0);
  const std::string log = file_text(path("out/run.log"));
  for (const char* part : {"case.yaml", "stream: 16 x 16 x 24 cells", "device: ", "completed",
                           "flow: largest speed"}) {
    EXPECT_TRUE(has(log, part)) << part << "\n" << log;
  }
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.size() > 20 && line[4] == '-' && line[13] == ':') << line;
  }
}

TEST_F(RunLogs, TheLogHasWarningsAndTheError) {
  const Outcome outcome =
      run("--set run.max_mach=0.01 --set fluid.density=2 --set output.forces=7");
  ASSERT_EQ(outcome.exit_code, 3) << outcome.err;
  EXPECT_TRUE(has(file_text(path("out/run.log")), "lbm: ")) << file_text(path("out/run.log"));
  // The same directory again: the log moves with the other results.
  ASSERT_EQ(run("--overwrite").exit_code, 0);
  EXPECT_FALSE(has(file_text(path("out/run.log")), "lbm: the flow"));
  EXPECT_TRUE(std::filesystem::exists(path("out/old-1/run.log")));
}

}  // namespace
}  // namespace lbm::cases
