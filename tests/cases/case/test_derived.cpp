// SPDX-License-Identifier: Apache-2.0

// Derived numbers against values computed by hand, and output times against plain lists.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cases/case/limits.hpp"
#include "cases/case/units.hpp"
#include "cases/run/results/field_outputs.hpp"
#include "cases/run/results/plane_files.hpp"
#include "tests/cases/case_support.hpp"

namespace lbm::cases {
namespace {

Case cavity() {
  Case c;
  c.grid.cells = {64, 32, 128};
  c.fluid.reynolds = 100;
  c.run.convective_times = 20;
  return c;
}

TEST(Derived, CavityAtReynolds100) {
  const Derived d = derive(cavity());
  EXPECT_DOUBLE_EQ(d.length, 64);  // nx
  EXPECT_DOUBLE_EQ(d.viscosity, 0.064);
  EXPECT_DOUBLE_EQ(d.tau, 0.692);
  EXPECT_DOUBLE_EQ(d.omega, 1 / 0.692);
  EXPECT_DOUBLE_EQ(d.mach, 0.17320508075688773);
  EXPECT_DOUBLE_EQ(d.convective_time, 640);
  EXPECT_EQ(d.steps, 12800);
  EXPECT_DOUBLE_EQ(d.duration, 20);
}

TEST(Derived, ReynoldsFromTau) {
  Case c = cavity();
  c.fluid.reynolds.reset();
  c.fluid.tau = 0.8;
  c.fluid.length = 50;
  const Derived d = derive(c);
  EXPECT_DOUBLE_EQ(d.viscosity, 0.1);
  EXPECT_NEAR(d.reynolds, 50, 1e-12);
}

TEST(Derived, StepsRoundToNearestAndAreAtLeastOne) {
  EXPECT_EQ(step_at(1, 640.4), 640);
  EXPECT_EQ(step_at(1, 640.6), 641);
  EXPECT_EQ(step_at(1e-9, 640), 1);
  EXPECT_EQ(step_at(1e300, 640), max_steps + 1);
  EXPECT_EQ(step_at(std::nan(""), 640), max_steps + 1);
  EXPECT_EQ(step_at(1, static_cast<double>(max_steps)), max_steps);
}

std::set<std::int64_t> walk(const OutputTimes& schedule) {
  std::set<std::int64_t> steps;
  for (auto next = schedule.next_output_after(0); next; next = schedule.next_output_after(*next)) {
    if (!steps.insert(*next).second) break;  // no progress
  }
  return steps;
}

// Times of the keys `output`.
OutputTimes schedule_of_output(const Case& c) {
  return schedule_of(field_outputs(c).at(0), derive(c));
}

// Multiples of times fall between steps; coinciding output steps are written once.
TEST(OutputTimes, CountsWhatItNames) {
  const std::int64_t last = 40;
  for (const double every_time : {0.3, 1.0, 1.25, 1.5, 2.5, 3.7, 10.0, 39.6, 40.4, 41.0}) {
    const OutputTimes schedule({1, 4, 11, 40, 40}, 0, last, every_time);
    const std::set<std::int64_t> steps = walk(schedule);
    std::set<std::int64_t> expected{1, 4, 11, 40};
    for (int m = 1; m * every_time < last + 0.5; ++m) {
      expected.insert(std::max(1L, std::lround(m * every_time)));
    }
    EXPECT_EQ(steps, expected) << every_time;
    for (std::int64_t after = -1; after <= last + 1; ++after) {
      EXPECT_EQ(schedule.count(after), std::distance(steps.upper_bound(after), steps.end()))
          << every_time << " after " << after;
    }
  }
}

TEST(OutputTimes, MatchesAPlainList) {
  const std::int64_t last = 30;
  for (std::int64_t every = 0; every <= last + 2; ++every) {
    const std::vector<std::int64_t> at{29, 7, 7, 12, 31, 0, -4, 1};
    std::set<std::int64_t> expected{1, 7, 12, 29};
    for (std::int64_t step = every; every > 0 && step <= last; step += every) expected.insert(step);
    const OutputTimes schedule(at, every, last);
    EXPECT_EQ(walk(schedule), expected) << every;
    EXPECT_EQ(schedule.count(), static_cast<std::int64_t>(expected.size())) << every;
    for (std::int64_t step = -1; step <= last + 1; ++step) {
      const auto next = expected.upper_bound(step);
      const auto found = schedule.next_output_after(step);
      ASSERT_EQ(found.has_value(), next != expected.end()) << every << " after " << step;
      if (found) {
        EXPECT_EQ(*found, *next) << every << " after " << step;
      }
    }
  }
}

TEST(OutputTimes, BillionsOfStepsCostNothing) {
  Case c = cavity();
  c.run.convective_times.reset();
  c.run.steps = max_steps;
  c.output.every_steps = 1;
  const OutputTimes schedule = schedule_of_output(c);
  EXPECT_EQ(schedule.count(), max_steps);
  EXPECT_EQ(schedule.next_output_after(max_steps - 1), max_steps);
  EXPECT_EQ(schedule.next_output_after(max_steps), std::nullopt);
  EXPECT_EQ(schedule.next_output_after(INT64_MAX), std::nullopt);
  const OutputTimes often({}, 0, max_steps, 1e-9);
  EXPECT_EQ(often.next_output_after(max_steps / 2), max_steps / 2 + 1);
  EXPECT_EQ(often.count(max_steps / 2), max_steps - max_steps / 2);
}

TEST(OutputTimes, FollowsTheCase) {
  Case c = cavity();
  c.output.times = {20, 0.5, 5};
  EXPECT_EQ(walk(schedule_of_output(c)), (std::set<std::int64_t>{320, 3200, 12800}));
  c.output.times = {};
  EXPECT_EQ(walk(schedule_of_output(c)), (std::set<std::int64_t>{12800}));
  c.output.at_end = false;
  EXPECT_TRUE(field_outputs(c).empty());
  c.output.every_steps = 5000;
  EXPECT_EQ(walk(schedule_of_output(c)), (std::set<std::int64_t>{5000, 10000}));
}

}  // namespace
}  // namespace lbm::cases
