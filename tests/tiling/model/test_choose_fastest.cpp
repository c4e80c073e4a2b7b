// SPDX-License-Identifier: Apache-2.0

// The schedule that is chosen, with and without known speeds of the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "solver/core/error.hpp"
#include "tests/tiling/model/made_up_speeds.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/pipeline/field_ring.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling::test {
namespace {

class ChooseFastest : public testing::Test {
 protected:
  ChooseFastest() {
    request_.run.steps = 6400;
    request_.speeds = [this]() -> const DeviceSpeeds& {
      ++asked_;
      return speeds_;
    };
  }
  ScheduleChoice choose(std::uint64_t planes) const {
    return choose_schedule(lattice_, Boundaries(), request_,
                           planes * lattice_.layout.bytes + records);
  }
  static bool has(const ScheduleChoice& choice, const std::string& part) {
    return choice.reason.find(part) != std::string::npos;
  }

  // Memory besides planes, without bodies: the same for any schedule.
  const std::uint64_t records = RecordRing::device_bytes_needed({}, {});
  Lattice lattice_ = lattice_of(512, 512, 800);
  DeviceSpeeds speeds_ = large_gpu();
  ScheduleRequest request_;
  int asked_ = 0;
};

TEST_F(ChooseFastest, InCoreNeedsNoSpeeds) {
  const ScheduleChoice choice = choose(800 + 64 + 2);
  EXPECT_EQ(choice.options.scheme, Scheme::in_core);
  EXPECT_EQ(choice.options.steps_per_visit, 1);
  EXPECT_FALSE(choice.prediction);
  EXPECT_EQ(asked_, 0);
}

TEST_F(ChooseFastest, MakesTwoStepsInAPassWhereTheyAreFaster) {
  const auto blocked = [&](double gain) {
    speeds_.fp32.blocked_bytes_per_second = gain * speeds_.fp32.bytes_per_second;
  };
  const auto together = [&](std::uint64_t planes) {
    return choose(planes).options.updates_together;
  };
  constexpr std::uint64_t enough = 800 + 3 * 64;
  blocked(1.4);
  EXPECT_EQ(together(enough), 1) << "the device offers no passes of two steps";
  request_.steps_in_one_pass = [](const Lattice&) { return 2; };
  const ScheduleChoice choice = choose(enough);
  EXPECT_EQ(choice.options.scheme, Scheme::in_core);
  EXPECT_EQ(choice.options.updates_together, 2);
  EXPECT_EQ(choice.options.steps_per_visit, 2);
  EXPECT_EQ(choice.options.planes_per_visit, 64);
  EXPECT_EQ(choose(800 + 44).options.planes_per_visit, 16) << "fewer planes, where memory is short";
  EXPECT_EQ(together(800 + 6), 1) << "the fewest slots are those of one step";
  // Out of core the model compares both.
  for (const std::uint64_t planes : {160U, 400U}) {
    request_.steps_per_pass.reset();
    const ScheduleChoice two = choose(planes);
    request_.steps_per_pass = 1;
    const ScheduleChoice one = choose(planes);
    EXPECT_EQ(one.options.updates_together, 1);
    EXPECT_EQ(two.options.updates_together, 2) << planes;
    EXPECT_GT(two.prediction->mlups, 1.05 * one.prediction->mlups) << planes;
  }
  request_.steps_per_pass.reset();
  request_.neighbours.processes = 2;
  EXPECT_EQ(together(enough), 2) << "several ranks";
  request_.neighbours.processes = 1;
  blocked(0.9);
  EXPECT_EQ(together(enough), 1) << "measured to be slower";
  request_.steps_per_pass = 2;
  EXPECT_EQ(together(enough), 2) << "the case asks for it";
}

TEST_F(ChooseFastest, ShortRunsDoNotWaitForSpeeds) {
  request_.run.steps = 10;
  request_.steps_in_one_pass = [](const Lattice&) { return 2; };
  EXPECT_EQ(choose(800 + 3 * 64).options.updates_together, 2);
  request_.run.steps = 1;
  EXPECT_EQ(choose(800 + 3 * 64).options.updates_together, 1) << "there is one step";
  EXPECT_EQ(asked_, 0);
}

TEST_F(ChooseFastest, KeepsTheBudgetAndUsesWhatHelps) {
  double last = 0;
  for (const std::uint64_t planes : {12U, 20U, 40U, 80U, 160U, 400U}) {
    const ScheduleChoice choice = choose(planes);
    EXPECT_EQ(choice.options.scheme, Scheme::wavefront);
    EXPECT_LE(choice.device_bytes, planes * lattice_.layout.bytes + records);
    EXPECT_EQ(choice.device_bytes, device_bytes_needed(lattice_, Boundaries(), choice.options, {}));
    EXPECT_EQ(choice.host_bytes, 800 * lattice_.layout.bytes);
    ASSERT_TRUE(choice.prediction);
    EXPECT_GE(choice.prediction->mlups, 0.996 * last) << planes;
    last = choice.prediction->mlups;
  }
}

// 1e6 M x 76 / W with M = 2.7e12 / 152 and W = 48e9: 28 steps.
TEST_F(ChooseFastest, TakesStepsUntilTheLinkIsHidden) {
  const ScheduleChoice choice = choose(790);
  EXPECT_GE(choice.options.steps_per_visit, 28);
  EXPECT_LT(choice.prediction->load_share, 1);
  EXPECT_GT(choice.prediction->update_share, 0.97);
  const double in_core = predict(lattice_, {Scheme::in_core, 1, 16}, request_.run, speeds_).mlups;
  EXPECT_GT(choice.prediction->mlups, 0.97 * in_core);
  // Copies that take nothing from the updates leave nothing to gain once they are hidden.
  speeds_.copy = 1e18;
  const ScheduleChoice slow = choose(790);
  EXPECT_GE(slow.options.steps_per_visit, 28);
  speeds_.link_in_both = speeds_.link_out_both = speeds_.link_in = speeds_.link_out = 300e9;
  const ScheduleChoice quick = choose(790);
  EXPECT_LT(quick.options.steps_per_visit, 28);
  EXPECT_LT(quick.device_bytes, slow.device_bytes);
}

TEST_F(ChooseFastest, IsNoSlowerThanAnyOther) {
  const ScheduleChoice choice = choose(150);
  for (const int k : {4, 16, 32, 48, 56, 64, 96, 128}) {
    for (const int planes : {1, 2, 4, 8, 16}) {
      const ScheduleOptions options{Scheme::wavefront, k, planes};
      if (slots_needed({lattice_.nz, false}, options) > 150) continue;
      EXPECT_LE(choice.prediction->seconds,
                1.004 * predict(lattice_, options, request_.run, speeds_).seconds)
          << k << " " << planes;
    }
  }
}

TEST_F(ChooseFastest, KeepsWhatTheCaseSays) {
  request_.steps_per_visit = 10;
  ScheduleChoice choice = choose(400);
  EXPECT_EQ(choice.options.steps_per_visit, 10);
  EXPECT_TRUE(has(choice, "k as the case says, B the fastest of")) << choice.reason;
  request_.planes_per_visit = 3;
  choice = choose(400);
  EXPECT_EQ(choice.options.steps_per_visit, 10);
  EXPECT_EQ(choice.options.planes_per_visit, 3);
  EXPECT_TRUE(has(choice, "k and B as the case says")) << choice.reason;
  request_.steps_per_visit.reset();
  choice = choose(400);
  EXPECT_EQ(choice.options.planes_per_visit, 3);
  EXPECT_TRUE(has(choice, "B as the case says, k the fastest of")) << choice.reason;
  request_.planes_per_visit.reset();
  request_.scheme = Scheme::halo;
  choice = choose(790);
  EXPECT_EQ(choice.options.scheme, Scheme::halo);
  EXPECT_TRUE(has(choice, "the case asks for it; k and B the fastest of")) << choice.reason;
  request_.scheme = Scheme::wavefront;
  EXPECT_EQ(choose(10000).options.scheme, Scheme::wavefront) << "although in core would fit";
}

TEST_F(ChooseFastest, SaysWhyItIsNotInCore) {
  EXPECT_TRUE(has(choose(400), "the lattice does not fit the device's")) << choose(400).reason;
  EXPECT_TRUE(has(choose(11), "k and B the only choice that fits")) << choose(11).reason;
}

TEST_F(ChooseFastest, TakesNoMoreStepsThanThereAreBetweenOutputs) {
  request_.run = {5, 0};
  EXPECT_LE(choose(400).options.steps_per_visit, 5);
  request_.run = {1, 0};
  EXPECT_EQ(choose(400).options.steps_per_visit, 1);
  request_.run = {6400, 10};
  EXPECT_LE(choose(400).options.steps_per_visit, 10);
}

TEST_F(ChooseFastest, KnowsWhatToDoWithoutSpeeds) {
  for (double DeviceSpeeds::*missing : {&DeviceSpeeds::copy, &DeviceSpeeds::link_in_both}) {
    speeds_ = large_gpu();
    speeds_.*missing = 0;
    const ScheduleChoice choice = choose(400);
    EXPECT_FALSE(choice.prediction);
    EXPECT_EQ(choice.options.steps_per_visit, 64);
    EXPECT_EQ(choice.options.planes_per_visit, 8);
  }
  request_.speeds = nullptr;
  EXPECT_EQ(choose(400).options.steps_per_visit, 64);
}

TEST_F(ChooseFastest, RefusesWhatDoesNotFit) {
  EXPECT_THROW(choose(10), ResourceError);
  EXPECT_EQ(least_device_bytes(lattice_, Boundaries(), request_),
            11 * lattice_.layout.bytes + records);
  request_.scheme = Scheme::in_core;
  EXPECT_THROW(choose(802), ResourceError);
  EXPECT_EQ(least_device_bytes(lattice_, Boundaries(), request_),
            803 * lattice_.layout.bytes + records);
  EXPECT_EQ(choose(803).options.scheme, Scheme::in_core);
}

// `lbm run` chooses before every run.
TEST_F(ChooseFastest, TakesLittleTime) {
  lattice_ = lattice_of(1024, 1024, 1400);
  const auto begin = std::chrono::steady_clock::now();
  choose(900);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 20) << "1 s on an idle machine";
  RecordProperty("seconds", std::to_string(seconds.count()));
}

}  // namespace
}  // namespace lbm::tiling::test
