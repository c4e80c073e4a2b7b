// SPDX-License-Identifier: Apache-2.0

// The CPU backend uses fewer threads while other programs take its cores.
#include <gtest/gtest.h>

#include "solver/backend/cpu/fitting_threads.hpp"

namespace lbm::cpu {
namespace {

// A machine with so many free cores: all threads are preempted 250 times a second where there are
// more of them.
struct Machine {
  FittingThreads threads;
  double seconds = 100;
  double preemptions = 0;
  double crowded_seconds = 0;

  // Returns the threads at the end.
  int run(double time, int free_cores) {
    constexpr double loop = 0.002;
    int now = 0;
    for (const double end = seconds + time; seconds < end; seconds += loop) {
      now = threads.at(seconds, static_cast<std::int64_t>(preemptions));
      if (now <= free_cores) continue;
      preemptions += 250 * now * loop;
      crowded_seconds += loop;
    }
    return now;
  }
};

TEST(FittingThreads, AreAllOnAQuietMachine) {
  Machine machine{FittingThreads(8)};
  EXPECT_EQ(machine.run(10, 8), 8);
  EXPECT_EQ(machine.crowded_seconds, 0);
}

TEST(FittingThreads, AreTheFreeCoresForNearlyAllOfTheTime) {
  for (const int free_cores : {1, 2, 5}) {
    Machine machine{FittingThreads(8)};
    machine.run(100, free_cores);
    EXPECT_LT(machine.crowded_seconds, 2) << free_cores;
  }
}

TEST(FittingThreads, AreAllAgainOnceTheOtherProgramHasEnded) {
  Machine machine{FittingThreads(8)};
  machine.run(30, 2);
  EXPECT_EQ(machine.run(9, 8), 8);
}

TEST(FittingThreads, HaveAMean) {
  Machine quiet{FittingThreads(8)};
  quiet.run(10, 8);
  EXPECT_EQ(quiet.threads.mean(), 8);
  Machine shared{FittingThreads(8)};
  shared.run(100, 2);
  EXPECT_NEAR(shared.threads.mean(), 2, 0.5);
}

TEST(FittingThreads, StayOneWhereOneIsAsked) {
  Machine machine{FittingThreads(1)};
  EXPECT_EQ(machine.run(3, 0), 1);
  EXPECT_EQ(FittingThreads(1).now(), 1);
}

}  // namespace
}  // namespace lbm::cpu
