// SPDX-License-Identifier: Apache-2.0

// Threads follow from the CPUs that a process may use, its quota and the size of the grid.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cases/run/setup/cpu_threads.hpp"

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

}  // namespace
}  // namespace lbm::cases
