// SPDX-License-Identifier: Apache-2.0

// Assignment of devices and planes to ranks, which are threads here.
#include "cases/run/ranks/agreement.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numeric>

#include "cases/run/setup/setup.hpp"
#include "tests/tiling/exchange/thread_ranks.hpp"

namespace lbm::cases {
namespace {

using tiling::test::in_threads;
using tiling::test::ThreadRanks;
using Texts = std::vector<std::string>;

// Errors of each rank for its number of GPUs and its requested kind of device.
Texts agree(const std::vector<int>& gpus, const std::vector<std::optional<BackendKind>>& kinds) {
  return in_threads(static_cast<int>(gpus.size()), [&](ThreadRanks& ranks) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    Case lbm_case;
    lbm_case.file = "case.yaml";
    lbm_case.device.backend = kinds[r];
    agree_on_backends(lbm_case, gpus[r], ranks);
  });
}

TEST(BackendsOfProcesses, AreGpusForAllOrForNone) {
  const std::vector<std::optional<BackendKind>> open(3);
  EXPECT_EQ(agree({1, 1, 1}, open), Texts(3));
  EXPECT_EQ(agree({4, 2, 1}, open), Texts(3));
  EXPECT_EQ(agree({0, 0, 0}, open), Texts(3));
}

TEST(BackendsOfProcesses, AreRefusedWhereOneFindsNoGpu) {
  const std::vector<std::optional<BackendKind>> open(3);
  const Texts errors = agree({2, 2, 0}, open);
  EXPECT_EQ(errors, Texts(3, errors[0]));
  EXPECT_TRUE(errors[0].starts_with("case.yaml: process 2 (host ")) << errors[0];
  EXPECT_NE(errors[0].find("finds no GPU, while process 0 (host "), std::string::npos);
  EXPECT_TRUE(agree({0, 1, 1}, open)[2].starts_with("case.yaml: process 0 (host "));
}

TEST(BackendsOfProcesses, MayDifferWhereTheCaseSaysSo) {
  const auto cpu = BackendKind::cpu, cuda = BackendKind::cuda;
  EXPECT_EQ(agree({2, 0, 0}, {std::nullopt, cpu, cpu}), Texts(3));
  EXPECT_EQ(agree({2, 2, 2}, {cpu, cpu, cpu}), Texts(3));
  // Without any GPU the error is that of a single rank.
  EXPECT_EQ(agree({2, 0, 2}, {cuda, cuda, cuda}), Texts(3));
  EXPECT_NE(agree({2, 0, 2}, {cuda, std::nullopt, cuda}), Texts(3));
}

TEST(BindingOfProcesses, ToOneCoreOfManyIsSaid) {
  const std::string line = binding_warning(1, {1, 16, 2});
  EXPECT_TRUE(line.starts_with("process 1 is bound to 1 of 16 cores that 2 processes share"))
      << line;
  EXPECT_NE(line.find("up to 8 times as long; use mpirun --bind-to none"), std::string::npos);
  EXPECT_NE(binding_warning(0, {2, 16, 2}), "") << "two hardware threads of a core";
  EXPECT_EQ(binding_warning(0, {1, 2, 2}), "") << "its share";
  EXPECT_EQ(binding_warning(0, {8, 16, 2}), "");
  EXPECT_EQ(binding_warning(0, {4, 64, 2}), "") << "as the user wished";
  EXPECT_EQ(binding_warning(0, {0, 0, 2}), "") << "unknown";
}

using Planes = std::vector<int>;

TEST(SharePlanes, EvenlyWhereSpeedsAreTheSame) {
  EXPECT_EQ(share_planes(12, {5, 5, 5}, 2), (Planes{4, 4, 4}));
  EXPECT_EQ(share_planes(14, {5, 5, 5}, 2), (Planes{5, 5, 4}));
  EXPECT_EQ(share_planes(6, {5, 5, 5}, 2), (Planes{2, 2, 2}));
  EXPECT_EQ(share_planes(9, {3}, 2), Planes{9});
}

TEST(SharePlanes, InProportionToSpeeds) {
  EXPECT_EQ(share_planes(90, {100, 200, 600}, 2), (Planes{10, 20, 60}));
  // 26.2, 46.8, 27.0: the largest remainder gets the remaining plane.
  EXPECT_EQ(share_planes(100, {262, 468, 270}, 2), (Planes{26, 47, 27}));
  EXPECT_EQ(share_planes(10, {1, 1, 2}, 2), (Planes{3, 2, 5}));
}

TEST(SharePlanes, WithALeastNumberForTheSlow) {
  EXPECT_EQ(share_planes(100, {1, 1000}, 8), (Planes{8, 92}));
  // 9 in proportion, but 7.6 after the slowest rank got its 8.
  EXPECT_EQ(share_planes(31, {1, 100, 300}, 8), (Planes{8, 8, 15}));
  EXPECT_EQ(share_planes(24, {1, 100, 300}, 8), (Planes{8, 8, 8}));
}

// All planes are distributed, no rank has too few, and shares differ from exact ones by less than
// one.
TEST(SharePlanes, GivesAwayAllOfThem) {
  std::uint32_t state = 7;
  const auto random = [&](std::uint32_t below) {
    state = state * 1664525 + 1013904223;
    return static_cast<int>((state >> 8) % below);
  };
  for (int i = 0; i < 5000; ++i) {
    std::vector<std::int64_t> speeds(static_cast<std::size_t>(1 + random(9)));
    std::int64_t sum = 0;
    for (auto& speed : speeds) sum += speed = 1 + random(1 << random(24));
    const int least = 2 + random(7), n = static_cast<int>(speeds.size());
    const int nz = least * n + random(4000);
    const Planes planes = share_planes(nz, speeds, least);
    ASSERT_EQ(std::accumulate(planes.begin(), planes.end(), 0), nz);
    for (std::size_t r = 0; r < planes.size(); ++r) {
      ASSERT_GE(planes[r], least);
      ASSERT_TRUE(planes[r] == least || planes[r] <= nz * speeds[r] / sum + 1) << planes[r];
    }
  }
}

Case of_planes(int nz) {
  Case lbm_case;
  lbm_case.grid.cells = {8, 8, nz};
  return lbm_case;
}

TEST(AgreeOnPlanes, TakesTheSpeedsOfAll) {
  const auto agree = [](int nz, const std::vector<std::int64_t>& speeds) {
    std::vector<Planes> planes(speeds.size());
    const Texts errors = in_threads(static_cast<int>(speeds.size()), [&](ThreadRanks& ranks) {
      const auto r = static_cast<std::size_t>(ranks.rank());
      planes[r] = agree_on_planes(of_planes(nz), speeds[r], ranks);
    });
    EXPECT_EQ(errors, Texts(speeds.size()));
    EXPECT_EQ(planes, std::vector<Planes>(speeds.size(), planes[0]));
    return planes[0];
  };
  EXPECT_EQ(agree(90, {100, 200, 600}), (Planes{10, 20, 60}));
  EXPECT_EQ(agree(90, {0, 0, 0}), (Planes{30, 30, 30})) << "devices are the same";
  EXPECT_EQ(agree(90, {100, 0, 600}), (Planes{30, 30, 30})) << "could not be measured";
  EXPECT_EQ(agree(100, {1, 900}), (Planes{8, 92})) << "enough for visits of 8";
  EXPECT_EQ(agree(9, {1, 900}), (Planes{4, 5})) << "or half of them";
}

TEST(AgreeOnPlanes, MeasuresNothingForDevicesOfOneName) {
  EXPECT_EQ(in_threads(2,
                       [](ThreadRanks& ranks) {
                         const auto backend = make_cpu_backend(1);
                         EXPECT_EQ(speed_beside_others(of_planes(9), *backend, ranks), 0);
                       }),
            Texts(2));
}

TEST(PlanesToPlanFor, AreThoseOfTheThickestUnlessSlabsDiffer) {
  EXPECT_EQ(planes_to_plan_for({5, 4, 4}, 1), 5);
  EXPECT_EQ(planes_to_plan_for({5, 9, 4}, 0), 5);
  EXPECT_EQ(planes_to_plan_for({5, 9, 4}, 1), 9);
}

// The schedules that three ranks agree on.
std::vector<tiling::ScheduleOptions> agree(std::vector<tiling::ScheduleOptions> own,
                                           const Planes& planes,
                                           std::vector<std::string>* reasons = nullptr) {
  const Texts errors = in_threads(3, [&](ThreadRanks& ranks) {
    const auto r = static_cast<std::size_t>(ranks.rank());
    Setup setup;
    setup.plan.options = own[r];
    setup.plan.reason = fmt::format("reason {}", r);
    agree_on_schedule(of_planes(90), setup, planes, ranks);
    own[r] = setup.plan.options;
    if (reasons != nullptr) (*reasons)[r] = setup.plan.reason;
  });
  EXPECT_EQ(errors, Texts(3));
  return own;
}

TEST(AgreeOnSchedule, TakesTheMostModest) {
  using tiling::Scheme;
  const tiling::ScheduleOptions in_core{.scheme = Scheme::in_core, .planes_per_visit = 4},
      long_visits{.steps_per_visit = 96, .planes_per_visit = 8},
      short_visits{.steps_per_visit = 32, .planes_per_visit = 8};
  std::vector<std::string> reasons(3);
  for (const auto& options : agree({in_core, long_visits, short_visits}, {30, 30, 30}, &reasons)) {
    EXPECT_EQ(options.scheme, Scheme::wavefront);
    EXPECT_EQ(options.steps_per_visit, 32);
    EXPECT_EQ(options.planes_per_visit, 8);
  }
  EXPECT_EQ(reasons, (Texts{"as process 2: reason 2", "as process 2: reason 2", "reason 2"}));
  for (const auto& options : agree({long_visits, long_visits, long_visits}, {5, 80, 5}, &reasons)) {
    EXPECT_EQ(options.planes_per_visit, 5) << "the thinnest slab";
  }
  EXPECT_EQ(reasons, (Texts{"reason 0", "reason 1", "reason 2"}));
}

}  // namespace
}  // namespace lbm::cases
