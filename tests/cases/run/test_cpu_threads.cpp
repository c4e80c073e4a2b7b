// SPDX-License-Identifier: Apache-2.0

// Threads follow from the CPUs that a process may use, its quota and the size of the grid; a run
// that was slow says so.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cases/run/setup/setup.hpp"
#include "tests/cases/run/pretended_speeds.hpp"
#include "tests/cases/run/restart_support.hpp"

namespace lbm::cases {
namespace {

constexpr std::int64_t many = 1 << 30;

TEST(CpuThreads, AreThoseOfTheCpusThatTheProcessMayUse) {
  EXPECT_EQ(cpu_threads({16, 16, 0}, 1, many), 16);
  EXPECT_EQ(cpu_threads({16, 4, 0}, 1, many), 4);
  EXPECT_EQ(cpu_threads({16, 16, 0}, 4, many), 4) << "processes that no one has bound";
  EXPECT_EQ(cpu_threads({16, 4, 0}, 4, many), 4) << "processes that are bound";
  EXPECT_EQ(cpu_threads({2, 2, 0}, 4, many), 1);
}

TEST(CpuThreads, AreNoMoreThanTheQuotaOfTheControlGroup) {
  EXPECT_EQ(cpu_threads({64, 64, 2}, 1, many), 2);
  EXPECT_EQ(cpu_threads({64, 64, 2.5}, 1, many), 3);
  EXPECT_EQ(cpu_threads({64, 64, 0.5}, 1, many), 1);
  EXPECT_EQ(cpu_threads({64, 64, 8}, 4, many), 2);
}

TEST(CpuThreads, AreFewOnSmallGrids) {
  EXPECT_EQ(cpu_threads({16, 16, 0}, 1, 64 * 64), 1);
  EXPECT_EQ(cpu_threads({16, 16, 0}, 1, 4 * least_cells_of_thread), 4);
}

TEST(CpuThreads, AreThoseOfTheUserWhereTheEnvironmentSays) {
  setenv("OMP_NUM_THREADS", "3", 1);
  EXPECT_EQ(cpu_threads_here(1, 64), 3);
  unsetenv("OMP_NUM_THREADS");
  EXPECT_EQ(cpu_threads_here(1, 64), 1);
}

// A second or more on one thread, whose speed is made up; a checkpoint after every third step.
TEST(SlowRun, SaysWhyWhereMuchMoreWasPredicted) {
  const test::Runs runs(test::vortex);
  const test::PretendedSpeeds speeds(runs.path("cache"));
  const auto run = [&](double bytes_per_second) {
    speeds.pretend(1, bytes_per_second, bytes_per_second);
    const test::Outcome outcome =
        runs.run("a",
                 "--overwrite --set device.threads=1 --set run.steps=3000 --set "
                 "output.every_steps=3000 --set checkpoint.every_steps=3");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  const std::string slow = run(5e12);
  EXPECT_TRUE(test::has(slow, "slow: ")) << slow;
  EXPECT_TRUE(test::has(slow, " s of writing checkpoints")) << slow;
  EXPECT_TRUE(test::has(runs.text("a/report.json"), "\"mean_threads\": 1"));
  const std::string good = run(1e7);
  EXPECT_FALSE(test::has(good, "slow: ")) << good;
}

}  // namespace
}  // namespace lbm::cases
