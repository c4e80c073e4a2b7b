// SPDX-License-Identifier: Apache-2.0

// Measurements that `lbm bench` would make on other machines, as data without a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/cli/bench/bench.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/model/performance_model.hpp"

namespace lbm::cases {
namespace {

using tiling::Scheme;
using Cells = std::array<int, 3>;

constexpr std::uint64_t giga = 1'000'000'000;
constexpr Cells cube{512, 512, 512}, tall{1024, 1024, 512};

// Hypothetical speeds, typical of such a GPU.
DeviceSpeeds gpu_speeds() {
  DeviceSpeeds speeds;
  speeds.device = "a GPU";
  speeds.copy = 3e12;
  speeds.link_in = speeds.link_out = 55e9;
  speeds.link_in_both = speeds.link_out_both = 48e9;
  speeds.fp16 = {2.3e12, 4e-6};
  speeds.fp32 = {2.7e12, 4e-6};
  speeds.fp64 = {2.8e12, 4e-6};
  speeds.moments_fp16 = speeds.moments_fp32 = speeds.moments_fp64 = {2.5e12, 4e-6};
  return speeds;
}

BenchLimits gpu_limits(std::uint64_t device, std::uint64_t host, bool quick = false) {
  return {BackendKind::cuda, 0, device, host, quick, {}, default_groups(BackendKind::cuda)};
}

BenchLimits cpu_limits(std::uint64_t device, std::uint64_t host, bool quick = false) {
  const std::vector<BenchGroup> all(bench_groups.begin(), bench_groups.end());
  return {BackendKind::cpu, 2, device, host, quick, {}, all};
}

// Created once, since the model compares several hundred schedules.
const std::vector<BenchCase>& large_gpu(bool quick = false) {
  static const auto full = bench_cases(gpu_limits(84 * giga, 104 * giga, false), gpu_speeds());
  static const auto few = bench_cases(gpu_limits(84 * giga, 104 * giga, true), gpu_speeds());
  return quick ? few : full;
}

bool in_core(const BenchCase& bench) { return bench.in_core(); }

template <class Condition>
std::ptrdiff_t count(const std::vector<BenchCase>& cases, const Condition& condition) {
  return std::count_if(cases.begin(), cases.end(), condition);
}

double seconds_of(const BenchCase& bench) {
  if (!bench.steps) return bench.seconds;
  return tiling::predict(bench_lattice(bench), bench.options, {*bench.steps, 0}, gpu_speeds())
      .seconds;
}

TEST(BenchCases, InCoreHasTheGridsThatGpusAreJudgedOn) {
  const auto& cases = large_gpu();
  const auto expect = [&](const Cells& cells, StorageType storage, BenchBox box) {
    for (const Representation representation : all_representations) {
      const bool moments =
          box != BenchBox::sphere && (cells == cube || storage == StorageType::fp32);
      EXPECT_EQ(count(cases,
                      [&](const BenchCase& b) {
                        return b.group == BenchGroup::in_core && b.cells == cells && in_core(b) &&
                               b.storage == storage && b.representation == representation &&
                               b.box == box && b.skipped.empty();
                      }),
                representation == Representation::moments && !moments ? 0 : 1)
          << cells[2] << to_string(storage) << to_string(box) << to_string(representation);
    }
  };
  for (const StorageType storage : {StorageType::fp32, StorageType::fp16}) {
    for (const Cells& cells : {cube, tall}) {
      expect(cells, storage, BenchBox::cavity);
      expect(cells, storage, BenchBox::periodic);
    }
    expect(cube, storage, BenchBox::sphere);
  }
  expect(cube, StorageType::fp64, BenchBox::cavity);
  expect(cube, StorageType::fp64, BenchBox::periodic);
  const auto corners = std::find_if(cases.begin(), cases.end(),
                                    [](const BenchCase& b) { return b.box == BenchBox::cumulant; });
  ASSERT_NE(corners, cases.end());
  EXPECT_EQ(bench_lattice(*corners).layout.values_per_cell, 27);
  EXPECT_EQ(corners->cell_bytes(), 2 * 27 * 4);
}

TEST(BenchCases, EveryOneOutOfCoreHasTheSameGridInCoreBeforeIt) {
  const auto& cases = large_gpu();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const BenchCase& b = cases[i];
    if (in_core(b) || b.group == BenchGroup::size) continue;
    ASSERT_GT(i, 0U);
    const BenchCase& before = cases[i - 1];
    EXPECT_TRUE(in_core(before) && before.cells == b.cells && before.storage == b.storage &&
                before.representation == b.representation && before.box == b.box &&
                before.group == b.group && before.skipped.empty())
        << b.name;
    EXPECT_GE(*b.steps, 2 * b.options.steps_per_visit) << b.name;
  }
}

TEST(BenchCases, OutOfCoreHasFixedStepsTheModelsChoiceAndASmallDevice) {
  const auto& cases = large_gpu();
  for (const StorageType storage : {StorageType::fp32, StorageType::fp16}) {
    const auto alike = [&](const BenchCase& b) {
      return b.group == BenchGroup::out_of_core && b.storage == storage && b.cells == tall &&
             b.representation == Representation::populations &&
             b.options.scheme == Scheme::wavefront && b.skipped.empty();
    };
    for (const int k : {8, 16, 32, 64}) {
      EXPECT_EQ(count(cases,
                      [&](const BenchCase& b) {
                        return alike(b) && !b.automatic() && b.options.steps_per_visit == k &&
                               b.options.planes_per_visit == 8 && *b.steps % k == 0;
                      }),
                1);
    }
    EXPECT_EQ(count(cases,
                    [&](const BenchCase& b) {
                      return alike(b) && b.automatic() && b.device_limit == 84 * giga;
                    }),
              1);
    EXPECT_EQ(count(cases,
                    [&](const BenchCase& b) {
                      return alike(b) && b.automatic() && b.device_limit == 16 * giga;
                    }),
              1);
  }
  EXPECT_GE(count(cases,
                  [](const BenchCase& b) {
                    return b.options.scheme == Scheme::halo && b.skipped.empty();
                  }),
            3);
}

TEST(BenchCases, SizesCrossTheDevicesMemoryUpToTheHosts) {
  const auto& cases = large_gpu();
  for (const std::uint64_t limit : {16 * giga, 84 * giga}) {
    std::uint64_t most_in_core = 0, least_outside = ~std::uint64_t{0}, most = 0;
    for (const BenchCase& b : cases) {
      if (b.group != BenchGroup::size || b.device_limit != limit) continue;
      EXPECT_EQ(b.skipped, "") << b.name;
      if (in_core(b)) {
        most_in_core = std::max(most_in_core, b.device_bytes);
      } else {
        least_outside = std::min(least_outside, b.lattice_bytes);
        most = std::max(most, b.lattice_bytes);
      }
    }
    EXPECT_GT(most_in_core, limit / 10 * 8);
    EXPECT_GT(least_outside, limit);
    EXPECT_LT(least_outside, limit / 10 * 13);
    EXPECT_GT(most, limit == 16 * giga ? 3 * limit : 100 * giga);
  }
}

TEST(BenchCases, NothingExceedsTheMemoryGiven) {
  for (const std::uint64_t megabytes : {1, 10, 200, 20'000, 300'000}) {
    for (const std::uint64_t eighths : {1, 8, 32}) {
      for (const bool quick : {false, true}) {
        const std::uint64_t device = megabytes * 1'000'000, host = device / 8 * eighths;
        for (const BenchLimits& limits :
             {gpu_limits(device, host, quick), cpu_limits(device, host, quick)}) {
          // Comparing schedules with the model takes longer.
          const bool with_speeds = quick && megabytes == 20'000 && eighths == 32;
          for (const BenchCase& b :
               bench_cases(limits, with_speeds ? gpu_speeds() : DeviceSpeeds())) {
            if (!b.skipped.empty()) continue;
            EXPECT_LE(b.device_limit, device);
            EXPECT_LE(b.device_bytes, b.device_limit) << b.name;
            EXPECT_LE(bench_host_bytes(b), host) << b.name;
            EXPECT_EQ(b.lattice_bytes == 0, in_core(b));
          }
        }
      }
    }
  }
}

TEST(BenchCases, BoundariesArePredictedFromAbove) {
  for (const BenchCase& b : bench_cases(cpu_limits(giga / 50, giga / 50), {})) {
    if (!b.skipped.empty()) continue;
    EXPECT_LE(tiling::device_bytes_needed(bench_lattice(b), bench_boundaries(b), b.options, {}),
              b.device_bytes)
        << b.name;
    EXPECT_NE(bench_boundaries(b).none(), b.box == BenchBox::sphere || b.box == BenchBox::tunnel);
  }
}

TEST(BenchCases, WhatDoesNotFitSaysSo) {
  const auto small_device = bench_cases(gpu_limits(24 * giga, 104 * giga), gpu_speeds());
  const auto tall_in_core = std::find_if(
      small_device.begin(), small_device.end(),
      [](const BenchCase& b) { return b.group == BenchGroup::in_core && b.cells == tall; });
  ASSERT_NE(tall_in_core, small_device.end());
  EXPECT_EQ(tall_in_core->skipped, "does not fit 22.4 GiB of device memory");
  // The reference is as much of the grid as fits.
  EXPECT_EQ(count(small_device,
                  [](const BenchCase& b) {
                    return b.group == BenchGroup::out_of_core && !b.skipped.empty();
                  }),
            0);
  for (const BenchCase& b : bench_cases(gpu_limits(1000, 1000), gpu_speeds())) {
    EXPECT_NE(b.skipped, "") << b.name;
  }
}

TEST(BenchCases, TakesItsTime) {
  const auto total = [](const std::vector<BenchCase>& cases) {
    double seconds = 0;
    for (const BenchCase& b : cases) seconds += seconds_of(b);
    return seconds;
  };
  const double full = total(large_gpu()), quick = total(large_gpu(true));
  EXPECT_GT(full, 60);
  EXPECT_LT(full, 285);  // plus a little for pinning and loading
  EXPECT_GT(quick, 10);
  EXPECT_LT(quick, 50);  // the whole command took 59 s on an H100
}

// The model chose for a run of 1000 steps; two sweeps would mostly measure filling and draining.
TEST(BenchCases, TheModelsChoiceRunsAsLongAsItWasMadeFor) {
  int chosen = 0;
  for (const BenchCase& b : large_gpu()) {
    if (b.group != BenchGroup::out_of_core || !b.automatic() || !b.skipped.empty() ||
        b.options.scheme != tiling::Scheme::wavefront) {
      continue;
    }
    ++chosen;
    EXPECT_GE(*b.steps, 1000) << b.name;
    EXPECT_EQ(*b.steps % b.options.steps_per_visit, 0) << b.name;
  }
  EXPECT_EQ(chosen, 5) << "two storage types, with all of the device and with 16 GB; moments";
}

TEST(BenchCases, StepsAreTheUsers) {
  BenchLimits limits = cpu_limits(giga / 10, giga / 10);
  limits.steps = 5;
  for (const BenchCase& b : bench_cases(limits, {})) {
    if (!b.skipped.empty()) continue;
    EXPECT_EQ(b.steps, 5) << b.name;
    EXPECT_LE(b.options.steps_per_visit, in_core(b) ? 8 : 5) << b.name;
  }
}

TEST(BenchCases, NothingGoesOutOfCoreOnAnIntegratedGpu) {
  BenchLimits limits = gpu_limits(4 * giga, 104 * giga);
  limits.groups.push_back(BenchGroup::size);
  const auto out_of_core = [](const BenchCase& b) { return b.skipped.empty() && !in_core(b); };
  EXPECT_GT(count(bench_cases(limits, gpu_speeds()), out_of_core), 0);
  limits.integrated = true;
  const auto cases = bench_cases(limits, gpu_speeds());
  EXPECT_EQ(count(cases, out_of_core), 0);
  EXPECT_GT(count(cases, [](const BenchCase& b) { return b.skipped.empty(); }), 0);
  EXPECT_GT(count(cases,
                  [](const BenchCase& b) {
                    return b.skipped.find("integrated GPU") != std::string::npos;
                  }),
            0);
}

TEST(BenchCases, ThreadsGoUpToAll) {
  BenchLimits limits = cpu_limits(giga, giga);
  limits.threads = 12;
  limits.groups = {BenchGroup::threads};
  std::vector<int> counts;
  for (const BenchCase& b : bench_cases(limits, {})) counts.push_back(b.threads);
  EXPECT_EQ(counts, (std::vector<int>{1, 2, 4, 8, 12}));
}

// Where the device makes two steps in one pass, the speed of one step a pass stands beside it.
TEST(BenchCases, TwoStepsInOnePassAreMeasuredBesideOne) {
  BenchLimits limits = gpu_limits(80 * giga, 200 * giga);
  limits.steps_in_one_pass = [](const Lattice& lattice) {
    return lattice.storage == StorageType::fp32 ? 2 : 1;
  };
  DeviceSpeeds speeds = gpu_speeds();
  speeds.fp32.blocked_bytes_per_second = 1.6 * speeds.fp32.bytes_per_second;
  int single = 0, twice = 0, other = 0;
  for (const BenchCase& b : bench_cases(limits, speeds)) {
    const bool counted = b.group == BenchGroup::in_core && b.cells == cube &&
                         b.box == BenchBox::periodic &&
                         b.representation == Representation::populations;
    if (!counted) continue;
    const bool fp32 = b.storage == StorageType::fp32;
    single += fp32 && b.options.updates_together == 1 ? 1 : 0;
    twice += fp32 && b.options.updates_together == 2 ? 1 : 0;
    other += !fp32 && b.options.updates_together == 2 ? 1 : 0;
  }
  EXPECT_EQ(single, 1);
  EXPECT_EQ(twice, 1);
  EXPECT_EQ(other, 0);
}

io::Json row_of(const char* storage, std::uint64_t limit, double share) {
  return {{"group", "out_of_core"},          {"auto", true},
          {"scheme", "wavefront"},           {"storage", storage},
          {"representation", "populations"}, {"device_limit", limit},
          {"share_of_in_core", share}};
}

TEST(BenchReport, TheLossIsThatOfFp32WithAllOfTheDevice) {
  io::Json rows = io::Json::array();
  EXPECT_FALSE(loss_out_of_core(rows));
  rows.push_back(row_of("fp16", 80 * giga, 0.7));
  EXPECT_FALSE(loss_out_of_core(rows)) << "other storage";
  rows.push_back(row_of("fp32", 80 * giga, 0.9));
  rows.back()["auto"] = false;
  EXPECT_FALSE(loss_out_of_core(rows)) << "a given schedule";
  rows.push_back(row_of("fp32", 80 * giga, 0.98));
  rows.push_back(row_of("fp32", 16 * giga, 0.9));
  rows.push_back(row_of("fp32", 80 * giga, 0.8));
  rows.back()["representation"] = "moments";
  ASSERT_TRUE(loss_out_of_core(rows));
  EXPECT_NEAR(*loss_out_of_core(rows), 0.02, 1e-12);
  EXPECT_EQ(bench_text("loss", {{"loss_out_of_core", 0.02}}),
            "\nout of core, fp32: 2.0 % of the speed in core is lost\n");
}

}  // namespace
}  // namespace lbm::cases
