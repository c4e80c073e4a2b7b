// SPDX-License-Identifier: Apache-2.0

// Runs whose initial flow, inlet, wall and force are formulas. Their restarts and ranks are tested
// with those of other flows (checkpoint/test_restart.cpp, ranks/test_ranks.cpp).
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases::test {
namespace {

TEST(FormulaRuns, FormulasChangeTheFlowAllTheTime) {
  const Runs runs(by_formula);
  ASSERT_EQ(runs.run("a").exit_code, 0);
  int i = 0;
  for (const char* const change :
       {"boundaries.x_min.velocity_factor='cos(9*t)'", "boundaries.z_min.velocity_factor='1'",
        "force.acceleration=[0,0,0]", "initial.pressure='0'",
        "boundaries.z_min.velocity=[0,0,'2.4*U*x*(lx-x)/lx^2']"}) {
    const std::string other = fmt::format("b{}", i++);
    const Outcome outcome = runs.run(other, fmt::format("--set \"{}\"", change));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(runs.text("a/forces_ball.csv"), runs.text(other + "/forces_ball.csv")) << change;
  }
}

TEST(FormulaRuns, WithAnotherFormulaIsRefused) {
  const Runs runs(by_formula);
  ASSERT_EQ(runs.run("a", "--set checkpoint.every_steps=50").exit_code, 0);
  EXPECT_TRUE(has(runs.text("a/effective_case.yaml"), R"x(velocity_factor: "cos(9*t) - 0.1*t")x"));
  const Outcome outcome =
      runs.restart("a", "--set \"boundaries.x_min.velocity_factor='cos(9*t)'\"");
  expect_one_line(outcome, 2,
                  R"x(boundaries.x_min.velocity_factor: "cos(9*t) - 0.1*t" -> "cos(9*t)")x");
}

// Not at one of the times that are looked at before the run.
TEST(FormulaRuns, AFactorThatBecomesInfiniteEndsTheRun) {
  const Runs runs(by_formula);
  const Outcome outcome =
      runs.run("a",
               "--set run.steps=4000 --set output.monitor=4000 --set "
               "\"boundaries.x_min.velocity_factor='1/(abs(t - 11.445714285714) < 1e-9 ? 0 "
               ": 1)'\"");
  expect_one_line(outcome, 2, "boundaries.x_min.velocity_factor: it is inf at t = 11.44");
}

}  // namespace
}  // namespace lbm::cases::test
