// SPDX-License-Identifier: Apache-2.0

// Ranks that would compute different flows in one box are refused. Ranks are threads here.
#include "cases/run/ranks/agreement.hpp"

#include <gtest/gtest.h>

#include "cases/case/read/read_case.hpp"
#include "tests/tiling/exchange/thread_ranks.hpp"

namespace lbm::cases {
namespace {

using tiling::test::in_threads;
using tiling::test::ThreadRanks;
using Texts = std::vector<std::string>;

const std::string cavity = R"(
grid: {cells: [8, 8, 8]}
fluid: {reynolds: 50}
run: {steps: 10}
)";

// Errors by rank.
Texts compare(const Texts& cases) {
  return in_threads(static_cast<int>(cases.size()), [&](ThreadRanks& ranks) {
    const Case own = parse_case(cases[static_cast<std::size_t>(ranks.rank())], "case.yaml");
    agree_on_case(own, ranks);
  });
}

std::string with(const std::string& before, const std::string& after) {
  std::string text = cavity;
  return text.replace(text.find(before), before.size(), after);
}

TEST(SameRun, TakesEqualCasesOnDifferentDevices) {
  const std::string machine = cavity + "device: {threads: 3}\nhost: {memory_limit: 1GiB}\n";
  EXPECT_EQ(compare({cavity, cavity, machine}), Texts(3));
}

TEST(SameRun, NamesTheFirstKeyThatDiffers) {
  const Texts errors = compare({cavity, cavity, with("reynolds: 50", "reynolds: 60"), cavity});
  EXPECT_EQ(errors, Texts(4,
                          "case.yaml: process 2 has fluid.reynolds: 60, process 0 has "
                          "fluid.reynolds: 50: give all processes the same case and --set"));
  const Texts grids = compare({with("[8, 8, 8]", "[8, 8, 9]"), cavity});
  EXPECT_NE(
      grids[1].find("process 1 has grid.cells: [8, 8, 8], process 0 has grid.cells: [8, 8, 9]"),
      std::string::npos)
      << grids[1];
}

TEST(SameRun, FindsWhatOneCaseHasMore) {
  const std::string more = cavity + "probes: {p: {points: [[1, 1, 1]]}}\n";
  for (const Texts& cases : {Texts{cavity, more}, Texts{more, cavity}}) {
    const Texts errors = compare(cases);
    EXPECT_EQ(errors[0], errors[1]);
    EXPECT_NE(errors[0].find("probes.p."), std::string::npos) << errors[0];
  }
}

TEST(SameRun, TakesOneProgramOnly) {
  const Texts errors = in_threads(3, [](ThreadRanks& ranks) {
    agree_on_program(ranks.rank() == 1 ? "1.0 bb" : "1.0 aa", ranks);
  });
  EXPECT_EQ(errors, Texts(3,
                          "process 1 runs another build of lbm (1.0 bb) than process 0 (1.0 aa): "
                          "start the same program on all hosts"));
}

}  // namespace
}  // namespace lbm::cases
