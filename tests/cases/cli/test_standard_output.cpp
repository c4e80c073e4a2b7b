// SPDX-License-Identifier: Apache-2.0

// Text that cannot be printed: exit code 4, and the results of a run are complete. A case from
// standard input.
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

class StandardOutput : public ::testing::Test {
 protected:
  // `redirect`: where standard output goes.
  Outcome run(const std::string& arguments, const std::string& redirect = ">/dev/full") const {
    return run_line(fmt::format("'{}' {} {}", LBM_PROGRAM, arguments, redirect));
  }
  std::string case_file() const { return "'" + runs_.path("case.yaml").string() + "'"; }

  const Runs runs_{
      "name: tiny\ngrid: {cells: [8, 8, 8]}\nfluid: {reynolds: 10}\nrun: {steps: 4}\n"};
};

TEST_F(StandardOutput, ThatIsFullIsAnErrorOfEachCommand) {
  for (const std::string& arguments : {"check --json " + case_file(), std::string("info --json"),
                                       std::string("keys"), std::string("run --help")}) {
    const Outcome outcome = run(arguments);
    expect_one_line(outcome, 4, "lbm: standard output: cannot write: No space left on device");
  }
}

TEST_F(StandardOutput, ThatIsFullLosesNoResults) {
  for (const std::string option : {"--quiet", "--json", ""}) {
    const std::string out = "r" + option;
    const Outcome outcome =
        run(fmt::format("run {} --out '{}' {}", case_file(), runs_.path(out).string(), option));
    expect_one_line(outcome, 4, "lbm: standard output: cannot write: No space left on device");
    EXPECT_TRUE(has(runs_.text(out + "/report.json"), "\"exit_reason\": \"completed\"")) << option;
  }
}

TEST_F(StandardOutput, ThatNobodyReadsLosesNoResults) {
  const std::string run = fmt::format("run {} --out '{}'", case_file(), runs_.path("r").string());
  const Outcome outcome = run_line(
      fmt::format("{{ sleep 0.2; '{}' {}; echo \"code $?\" >&2; }} | true", LBM_PROGRAM, run));
  EXPECT_TRUE(has(outcome.err, "lbm: standard output: cannot write: Broken pipe")) << outcome.err;
  EXPECT_TRUE(has(outcome.err, "code 4")) << outcome.err;
  EXPECT_TRUE(has(runs_.text("r/report.json"), "\"exit_reason\": \"completed\""));
}

TEST_F(StandardOutput, ThatIsClosedIsAnError) {
  expect_one_line(run("check --json " + case_file(), ">&-"), 4,
                  "lbm: standard output: cannot write");
  const Outcome outcome =
      run(fmt::format("run {} --json --out '{}'", case_file(), runs_.path("r").string()), ">&-");
  expect_one_line(outcome, 4, "lbm: standard output: cannot write");
  EXPECT_TRUE(has(runs_.text("r/report.json"), "\"exit_reason\": \"completed\""));
}

TEST(StandardInput, MayBeTheCase) {
  const Runs runs("name: tiny\ngrid: {cells: [8, 8, 8]}\nfluid: {reynolds: 10}\nrun: {steps: 4}\n");
  const std::string input = " <'" + runs.path("case.yaml").string() + "'";
  const Outcome checked = run_line(fmt::format("'{}' check -{}", LBM_PROGRAM, input));
  EXPECT_EQ(checked.exit_code, 0) << checked.err;
  const Outcome ran = run_line(fmt::format("'{}' run - --set run.steps=6 --out '{}'{}", LBM_PROGRAM,
                                           runs.path("r").string(), input));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(has(runs.text("r/report.json"), "\"steps\": 6"));
  expect_one_line(run_line(fmt::format("echo 'grid: 3' | '{}' check -", LBM_PROGRAM)), 2,
                  "lbm: /dev/stdin:1: grid");
}

}  // namespace
}  // namespace lbm::cases::test
