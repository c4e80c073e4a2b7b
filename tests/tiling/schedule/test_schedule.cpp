// SPDX-License-Identifier: Apache-2.0

// Property tests of schedules by brute force, over thousands of random parameters.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "tests/tiling/schedule/schedule_checker.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling::test {
namespace {

std::vector<Sweep> random_sweeps(std::mt19937& random, int most, int count) {
  std::vector<Sweep> sweeps;
  for (int i = 0; i < count; ++i) {
    const bool full = random() % 2 == 0;
    const bool looks = random() % 3 == 0;
    sweeps.push_back({full ? most : 1 + static_cast<int>(random() % most), looks, false});
  }
  return sweeps;
}

int random_in(std::mt19937& random, int low, int high) {
  return low + static_cast<int>(random() % (high - low + 1));
}

class RandomSchedules : public testing::TestWithParam<Scheme> {};

TEST_P(RandomSchedules, AreCorrectAndKeepTheirPromise) {
  std::mt19937 random(12345);
  for (int i = 0; i < 3000; ++i) {
    const int size = i % 3 == 0 ? 6 : (i % 3 == 1 ? 20 : 70);
    const PlaneGrid grid{random_in(random, 1, size), random() % 2 == 0};
    const ScheduleOptions options{
        GetParam(), random_in(random, 1, size / 2 + 2), random_in(random, 1, std::min(size, 20)),
        i % 2 == 0 ? 1 : random_in(random, 1, 5 * size),
        i % 4 == 0 && GetParam() != Scheme::halo ? random_in(random, 2, 5) : 1};
    ScheduleChecker checker(grid, options);
    const auto sweeps = random_sweeps(random, options.steps_per_visit, random_in(random, 1, 6));
    ASSERT_NO_THROW(checker.run(sweeps)) << "case " << i;
    ASSERT_NO_THROW(checker.run(sweeps)) << "again after a drain, case " << i;
    ASSERT_LE(checker.slots_used(), checker.slots_promised());
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, RandomSchedules,
                         testing::Values(Scheme::in_core, Scheme::wavefront, Scheme::halo),
                         [](const auto& test) { return to_string(test.param); });

// Slabs that share a grid take turns in random order.
class Slabs {
 public:
  Slabs(int nz, bool periodic, const std::vector<int>& planes, const ScheduleOptions& options)
      : queues_(planes.size()) {
    int first = 0;
    for (std::size_t r = 0; r < planes.size(); ++r) {
      ScheduleOptions own = options;
      own.planes_per_visit = std::min(own.planes_per_visit, planes[r]);
      HaloQueue& above = queues_[r];
      HaloQueue& below = queues_[(r + planes.size() - 1) % planes.size()];
      checkers_.push_back(std::make_unique<ScheduleChecker>(
          PlaneGrid{nz, periodic, first, planes[r]}, own, &above, &below));
      first += planes[r];
    }
  }

  void run(const std::vector<Sweep>& sweeps, std::mt19937& random) {
    for (auto& checker : checkers_) checker->begin(sweeps);
    std::vector<std::size_t> at_work(checkers_.size());
    std::iota(at_work.begin(), at_work.end(), 0U);
    while (!at_work.empty()) {
      std::shuffle(at_work.begin(), at_work.end(), random);
      bool moved = false;
      for (std::size_t i = 0; i < at_work.size() && !moved; ++i) {
        const auto progress = checkers_[at_work[i]]->step();
        moved = progress != ScheduleChecker::Progress::waits;
        if (progress == ScheduleChecker::Progress::done) {
          at_work.erase(at_work.begin() + static_cast<std::ptrdiff_t>(i));
        }
      }
      if (!moved) throw std::runtime_error("all slabs wait for each other");
    }
    for (auto& checker : checkers_) checker->end();
    for (const auto& queue : queues_) {
      if (!queue.empty()) throw std::runtime_error("halo planes that nobody took");
    }
  }

  ScheduleChecker& operator[](std::size_t r) { return *checkers_[r]; }
  std::size_t size() const { return checkers_.size(); }
  long long updates() const {
    long long sum = 0;
    for (const auto& checker : checkers_) sum += checker->updates();
    return sum;
  }

 private:
  std::vector<HaloQueue> queues_;
  std::vector<std::unique_ptr<ScheduleChecker>> checkers_;
};

TEST_P(RandomSchedules, OfSlabsAreCorrectWhateverTheOrderInWhichTheyRun) {
  std::mt19937 random(4711);
  const bool halo = GetParam() == Scheme::halo;
  for (int i = 0; i < (halo ? 300 : 1000); ++i) {
    const int most = i % 3 == 0 ? 5 : (halo ? 12 : (i % 3 == 1 ? 20 : 60)),
              ranks = random_in(random, 2, 7);
    const ScheduleOptions options{
        GetParam(), random_in(random, 1, most), random_in(random, 1, 20), 1,
        i % 4 == 0 && GetParam() != Scheme::halo ? random_in(random, 2, 5) : 1};
    std::vector<int> planes(static_cast<std::size_t>(ranks));
    const int least = halo ? least_slab_planes(options) : 2;
    for (int& n : planes) n = random_in(random, least, least + most);
    const int nz = std::accumulate(planes.begin(), planes.end(), 0);
    Slabs slabs(nz, random() % 2 == 0, planes, options);
    const auto sweeps = random_sweeps(random, options.steps_per_visit, random_in(random, 1, 6));
    ASSERT_NO_THROW(slabs.run(sweeps, random)) << "case " << i;
    ASSERT_NO_THROW(slabs.run(sweeps, random)) << "again after a drain, case " << i;
    for (std::size_t r = 0; r < slabs.size(); ++r) {
      ASSERT_LE(slabs[r].slots_used(), slabs[r].slots_promised());
    }
  }
}

// Next to a wall a halo plane may have no reader: it must not keep its slot.
TEST(Slabs, KeepTheirPromiseWhereverTheWallsAre) {
  std::mt19937 random(2);
  for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront, Scheme::halo}) {
    for (const int k : {1, 3}) {
      Slabs slabs(37, false, {12, 13, 12}, {scheme, k, 4});
      ASSERT_NO_THROW(slabs.run(std::vector<Sweep>(300, {k}), random)) << to_string(scheme);
    }
  }
}

TEST(Slabs, ComputeNothingTwice) {
  std::mt19937 random(1);
  for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront}) {
    Slabs slabs(100, false, {40, 25, 35}, {scheme, 8, 5});
    slabs.run({{8}, {8}, {3}}, random);
    EXPECT_EQ(slabs.updates(), 100 * 19);
  }
}

TEST(Wavefront, ComputesEveryPlaneAndLevelOnceAndCarriesEachPlaneOnceASweep) {
  for (const bool periodic : {false, true}) {
    ScheduleChecker checker({100, periodic}, {Scheme::wavefront, 8, 5});
    checker.run({{8}, {8}, {8}, {8}});
    EXPECT_EQ(checker.updates(), 100 * 32);
    EXPECT_EQ(checker.loads(), 100 * 4);
  }
}

// Without a barrier between sweeps the pipeline fills and drains once: 40 sweeps of 20 visits.
TEST(Wavefront, OverlapsSweeps) {
  for (const bool periodic : {false, true}) {
    ScheduleChecker checker({160, periodic}, {Scheme::wavefront, 32, 8});
    checker.run(std::vector<Sweep>(40, {32}));
    EXPECT_LE(checker.visits(), 40 * 20 + 2 * 32 / 8);
  }
}

// Two planes of every level, and room for planes under way: not more than is used.
TEST(Wavefront, NeedsTwoPlanesPerLevel) {
  for (const bool periodic : {false, true}) {
    ScheduleChecker checker({400, periodic}, {Scheme::wavefront, 64, 8});
    checker.run(std::vector<Sweep>(4, {64}));
    EXPECT_LE(checker.slots_used(), 2 * 64 * (periodic ? 2 : 1) + 5 * 8 + 4);
    EXPECT_LE(checker.slots_promised(), checker.slots_used() + 8);
  }
}

TEST(InCore, NeedsOneCopyOfTheLatticeAndABlock) {
  EXPECT_LE(slots_needed({500, true}, {Scheme::in_core, 1, 8}), 500 + 8 + 2);
  ScheduleChecker checker({500, true}, {Scheme::in_core, 1, 8});
  checker.run(std::vector<Sweep>(5, {1}));
  EXPECT_EQ(checker.loads(), 500);
  EXPECT_EQ(checker.updates(), 5 * 500);
}

// With two steps a visit all but the last two planes of the first step pass.
TEST(InCore, SaysWhichPlanesPass) {
  const auto scheduler = make_scheduler({100, false}, {Scheme::in_core, 2, 10, 1, 2});
  scheduler->prologue();
  bool asked = false;
  const auto source = [&]() -> std::optional<Sweep> {
    if (std::exchange(asked, true)) return std::nullopt;
    return Sweep{2};
  };
  ASSERT_TRUE(scheduler->next(source));
  const auto second = scheduler->next(source);
  ASSERT_TRUE(second);
  ASSERT_EQ(second->updates.size(), 2U);
  EXPECT_EQ(second->updates[0].passing, 0xffU) << "ten planes";
  EXPECT_EQ(second->updates[1].passing, 0U) << "the last level is what the sweep is for";
}

// The visits of a small grid are joined over steps and sweeps, in the slots of one lattice and a
// block. A sweep whose planes are read ends the visit.
TEST(InCore, JoinsVisitsUpToWhereItsPlanesAreWanted) {
  ScheduleChecker checker({16, true}, {Scheme::in_core, 1, 8, 64});
  std::vector<Sweep> sweeps(12, {1});
  checker.run(sweeps);
  EXPECT_EQ(checker.visits(), 1 + 12 * 16 / 64) << "the loads, then 64 plane updates each";
  EXPECT_LE(checker.slots_used(), 16 + 8 + 2);
  sweeps[1].check = true;
  checker.run(sweeps);
  EXPECT_EQ(checker.visits(), 4 + 4) << "2 steps, 3 x 4 less 2: 10 steps in 3 visits";
}

// Far from walls a tile of B planes computes B + 2(k-s) planes at level s.
TEST(Halo, DoesTheRedundantWorkOfItsFormula) {
  const int nz = 120, k = 6, tile = 10;
  ScheduleChecker checker({nz, true}, {Scheme::halo, k, tile});
  checker.run({{k}});
  EXPECT_EQ(checker.updates(), nz / tile * (k * tile + k * (k - 1)));
  EXPECT_EQ(checker.loads(), nz);
}

TEST(Schedule, RefusesImpossibleParameters) {
  EXPECT_THROW(make_scheduler({0, false}, {Scheme::wavefront, 1, 1}), std::invalid_argument);
  EXPECT_THROW(make_scheduler({9, false}, {Scheme::wavefront, 0, 1}), std::invalid_argument);
  EXPECT_THROW(make_scheduler({9, false}, {Scheme::halo, 1, 65}), std::invalid_argument);
  EXPECT_THROW(make_scheduler({9, false}, {Scheme::in_core, 1, 1, 1, 0}), std::invalid_argument);
}

TEST(NextSweepSteps, SplitsEvenlyAndLandsOnTheEnd) {
  for (long long steps = 1; steps < 300; ++steps) {
    for (const int most : {1, 7, 64}) {
      long long left = steps;
      int sweeps = 0, smallest = most;
      while (left > 0) {
        const int next = next_sweep_steps(left, most);
        ASSERT_GE(next, 1);
        ASSERT_LE(next, most);
        smallest = std::min(smallest, next);
        left -= next;
        ++sweeps;
      }
      ASSERT_EQ(left, 0);
      ASSERT_EQ(sweeps, (steps + most - 1) / most);
      ASSERT_GE(smallest, steps / sweeps);
    }
  }
  EXPECT_EQ(next_sweep_steps(0, 5), 0);
}

TEST(NextSweepSteps, AreWholePassesWhereTheyMayBe) {
  for (int steps = 1; steps <= 300; ++steps) {
    for (const int most : {1, 2, 7, 16, 55, 56}) {
      long long left = steps;
      int sweeps = 0, odd = 0;
      while (left > 0) {
        const int next = next_sweep_steps(left, most, 2);
        ASSERT_GE(next, 1);
        ASSERT_LE(next, most);
        left -= next;
        ++sweeps;
        odd += next % 2;
      }
      ASSERT_EQ(left, 0);
      ASSERT_EQ(sweeps, (steps + most - 1) / most);
      if (most % 2 == 0) {
        ASSERT_EQ(odd, steps % 2) << steps << " " << most;
      }
    }
  }
  EXPECT_EQ(next_sweep_steps(1001, 56, 2), 56);
  EXPECT_EQ(next_sweep_steps(1001, 55, 2), 54);
}

}  // namespace
}  // namespace lbm::tiling::test
