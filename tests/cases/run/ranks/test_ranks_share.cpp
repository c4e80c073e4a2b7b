// SPDX-License-Identifier: Apache-2.0

// Ranks share work: each computes its part of the results, and a host finds its bodies once.
#include "tests/cases/run/ranks/ranks_support.hpp"

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;
using test::expect_same_results;
using test::Outcome;
using test::Processes;
using test::Runs;
using test::several;
using test::ways;

// Images large enough to be shared, of fields that need the planes around, and statistics: in the
// whole grid and in parts that begin and end within slabs.
TEST_F(Processes, DoTheirPartOfFieldsAndStatistics) {
  const Runs runs(test::windy + R"(outputs:
  swirl: {every_steps: 40, fields: [vorticity, velocity, q_criterion]}
  thin: {every_steps: 60, fields: [q_criterion], stride: 3}
  part: {every_steps: 20, fields: [vorticity], box_from: [2, 3, 5], box_to: [48, 40, 33]}
statistics:
  mean: {every_steps: 5, write_every_steps: 60}
  some: {every_steps: 7, sums: float64, stresses: false, box_from: [2, 3, 5], box_to: [48, 40, 33]}
)");
  const std::string grid = "--set grid.cells=[50,44,38] --set quantities=null --set expect=null ";
  for (const auto& [processes, options] : ways) {
    SCOPED_TRACE(processes);
    const std::string name = fmt::format("{}{}", processes, fs::exists(runs.path("3")) ? "b" : "");
    const Outcome alone = runs.run("alone" + name, grid + options);
    ASSERT_EQ(alone.exit_code, 0) << alone.err;
    const Outcome outcome = several(processes, runs.line(name, grid + options));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    expect_same_results(runs.path("alone" + name), runs.path(name));
  }
}

// They share the bodies, unless their files differ.
TEST_F(Processes, FindTheBodiesOfAHostOnce) {
  const Runs runs(R"(
name: body
grid: {cells: [16, 14, 18]}
bodies: {b: {shape: surface, file: b.stl}}
boundaries: {x_min: {type: wall, velocity: [0, 0, 0.1]}}
fluid: {reynolds: 20}
run: {steps: 24}
statistics: {mean: {every_steps: 4}}
)");
  lbm::testing::write_text(runs.path("b.stl"), test::tetrahedron(11));
  lbm::testing::write_text(runs.path("other.stl"), test::tetrahedron(9));
  ASSERT_EQ(runs.run("alone").exit_code, 0);
  const auto two = [&](const std::string& out, const std::string& second) {
    const auto line = [&](const std::string& more) {
      return fmt::format("exec '{}' {}", LBM_PROGRAM, runs.line(out, more));
    };
    return test::two(line(""), line(second));
  };
  const Outcome same = two("two", "");
  ASSERT_EQ(same.exit_code, 0) << same.err;
  expect_same_results(runs.path("alone"), runs.path("two"));
  const Outcome different = two("none", "--set bodies.b.file=other.stl");
  EXPECT_EQ(different.exit_code, 2);
  EXPECT_TRUE(test::has(different.err, "process 1 has other bodies or faces than process 0"))
      << different.err;
}

// As on two hosts that share a file system: images are shared, the sums of statistics are not.
TEST_F(Processes, SendWhatTheMemoryOfTheFirstMustHave) {
  const std::string apart = "unshare --pid --fork --mount-proc ";
  if (std::system((apart + "true 2>/dev/null").c_str()) != 0) GTEST_SKIP() << "may not unshare";
  const Runs runs(test::vortex + R"(outputs:
  swirl: {every_steps: 40, fields: [vorticity]}
statistics:
  mean: {every_steps: 5}
)");
  const std::string grid = "--set grid.cells=[50,44,38]";
  ASSERT_EQ(runs.run("alone", grid).exit_code, 0);
  // Open MPI copies between processes by their numbers, and complains.
  const std::string rank = fmt::format("OMPI_MCA_btl_vader_single_copy_mechanism=none {{}}'{}' {}",
                                       LBM_PROGRAM, runs.line("two", grid));
  const Outcome outcome =
      test::two(fmt::format(fmt::runtime(rank), ""), fmt::format(fmt::runtime(rank), apart));
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_same_results(runs.path("alone"), runs.path("two"));
}

}  // namespace
}  // namespace lbm::cases
