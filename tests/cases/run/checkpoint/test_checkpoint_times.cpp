// SPDX-License-Identifier: Apache-2.0

// Times at which checkpoints are due.
#include "cases/run/checkpoint/checkpoints.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace lbm::cases {
namespace {

using std::chrono::milliseconds;
using Clock = CheckpointTimes::Clock;

TEST(CheckpointTimes, AreNeverUnasked) {
  const Case lbm_case;
  const CheckpointTimes times(lbm_case, Clock::now() - std::chrono::hours(100), 1 << 30);
  EXPECT_FALSE(times.next_step_after(5));
  EXPECT_FALSE(times.is_due_at(10));
  EXPECT_FALSE(times.is_due(5));
  EXPECT_FALSE(times.must_stop());
}

TEST(CheckpointTimes, CountStepsFromTheBeginningOfTheFlow) {
  Case lbm_case;
  lbm_case.checkpoint.every_steps = 30;
  const CheckpointTimes times(lbm_case, Clock::now(), 0);
  EXPECT_EQ(times.next_step_after(0), 30);
  EXPECT_EQ(times.next_step_after(29), 30);
  EXPECT_EQ(times.next_step_after(30), 60);
  EXPECT_TRUE(times.is_due_at(60));
  EXPECT_FALSE(times.is_due_at(61));
}

TEST(CheckpointTimes, CountMinutesFromTheLastOne) {
  Case lbm_case;
  lbm_case.checkpoint.every_minutes = 0.05 / 60;
  CheckpointTimes times(lbm_case, Clock::now() - std::chrono::hours(1), 0);
  EXPECT_FALSE(times.is_due(1));
  std::this_thread::sleep_for(milliseconds(60));
  EXPECT_TRUE(times.is_due(2));
  times.saved(2, 0);
  EXPECT_FALSE(times.is_due(3));
}

// The time loop asks again before each sweep: a run that saves for ever at one step makes none.
TEST(CheckpointTimes, AreOnceAStepHoweverShortTheInterval) {
  Case lbm_case;
  lbm_case.checkpoint.every_minutes = 1e-300;
  CheckpointTimes times(lbm_case, Clock::now(), 0);
  EXPECT_TRUE(times.is_due(2));
  times.saved(2, 0);
  EXPECT_FALSE(times.is_due(2));
  EXPECT_TRUE(times.is_due(4));
  times.failed(4);
  EXPECT_FALSE(times.is_due(4));
}

// 60 s of walltime; the program began `seconds_ago`.
CheckpointTimes begun(const Case& lbm_case, int seconds_ago, std::uint64_t bytes) {
  return {lbm_case, Clock::now() - std::chrono::seconds(seconds_ago), bytes};
}

TEST(CheckpointTimes, LeaveRoomForACheckpointBeforeTheWalltime) {
  Case lbm_case;
  lbm_case.run.walltime = 1;
  EXPECT_FALSE(begun(lbm_case, 50, 0).must_stop());
  EXPECT_TRUE(begun(lbm_case, 60, 0).must_stop());
  // 2 GB at the first estimate: 10 s, plus half as much.
  EXPECT_TRUE(begun(lbm_case, 50, 2'000'000'000).must_stop());
  EXPECT_FALSE(begun(lbm_case, 40, 2'000'000'000).must_stop());
  auto measured = begun(lbm_case, 50, 2'000'000'000);
  measured.saved(7, 1);
  EXPECT_FALSE(measured.must_stop());
}

TEST(CheckpointTimes, LeaveRoomForTheSweepsUnderWay) {
  Case lbm_case;
  lbm_case.run.walltime = 3.0 / 60;
  const auto begin = Clock::now();
  CheckpointTimes times(lbm_case, begin, 0);
  times.asked(10);
  std::this_thread::sleep_for(milliseconds(1100));
  const bool stops = times.must_stop();
  if (seconds_since(begin) < 1.5) {  // on a busy machine the thread may sleep longer
    EXPECT_FALSE(stops) << "2 s left, and nothing known of sweeps";
  }
  times.completed(10);
  EXPECT_TRUE(times.must_stop()) << "a sweep takes 1.1 s";
}

}  // namespace
}  // namespace lbm::cases
