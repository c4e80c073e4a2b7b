// SPDX-License-Identifier: Apache-2.0

// Predictions compared with bounds that need no model, and with a simulation of every visit.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "solver/backend/pass_plan.hpp"
#include "tests/tiling/model/made_up_speeds.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling::test {
namespace {

TEST(Model, InCoreIsTheTimeOfTheUpdates) {
  const Lattice lattice = lattice_of(64, 64, 100);
  const DeviceSpeeds speeds = device_of(2e12, 1e12, 1e9);
  const Prediction p = predict(lattice, {Scheme::in_core, 1, 8}, {50, 0}, speeds);
  EXPECT_NEAR(p.seconds, 50 * 100 * plane_seconds(lattice, speeds), 1e-9 * p.seconds);
  EXPECT_NEAR(p.mlups, 1e-6 * 1e12 / 152, 1e-6 * p.mlups);
  EXPECT_NEAR(p.update_share, 1, 1e-9);
  EXPECT_EQ(p.load_share, 0);
  EXPECT_EQ(p.store_share, 0);
}

TEST(Model, FollowsTheMeasuredCollisionAndVelocitySet) {
  DeviceSpeeds speeds = device_of(2e12, 1e12, 1e9);
  speeds.models = {{"D3Q27 cumulant", 0.25e12}};
  CollisionSpec collision;
  collision.kind = CollisionKind::cumulant;
  const CellValues cell(Representation::populations, VelocitySet::D3Q27);
  for (const auto& [storage, bytes] :
       {std::pair{StorageType::fp32, 4}, std::pair{StorageType::fp64, 8}}) {
    Lattice lattice = make_lattice(32, 32, 100, storage, collision, {}, cell);
    const auto mlups = [&] {
      return predict(lattice, {Scheme::in_core, 1, 8}, {50, 0}, speeds).mlups;
    };
    EXPECT_NEAR(mlups(), 1e-6 * 0.25e12 / (2 * 27 * bytes), 1e-6 * mlups());
    lattice.collision.kind = CollisionKind::trt;  // not measured: by the bytes
    EXPECT_NEAR(mlups(), 1e-6 * 1e12 / (2 * 27 * bytes), 1e-6 * mlups());
  }
}

TEST(Model, EveryLaunchTakesItsTime) {
  const Lattice lattice = lattice_of(64, 64, 100);
  DeviceSpeeds speeds = device_of(2e12, 1e12, 1e9);
  const ScheduleOptions options{Scheme::in_core, 1, 8};
  const double without = predict(lattice, options, {50, 0}, speeds).seconds;
  speeds.fp32.launch_seconds = 1e-5;
  const double with = predict(lattice, options, {50, 0}, speeds).seconds;
  EXPECT_NEAR(with - without, 50 * 13 * 1e-5, 1e-6 * with) << "100 planes are 13 launches of 8";
}

TEST(Model, JoinedVisitsTakeNoLonger) {
  const Lattice lattice = lattice_of(64, 64, 10);
  const DeviceSpeeds speeds = large_gpu();
  const RunShape run{1000, 0};
  EXPECT_EQ(predict(lattice, {Scheme::in_core, 1, 8, 640}, run, speeds).seconds,
            predict(lattice, {Scheme::in_core, 1, 8, 1}, run, speeds).seconds);
}

TEST(Model, HalfTheBytesAreTwiceTheSpeed) {
  const DeviceSpeeds speeds = device_of(2e12, 1e12, 40e9);
  for (const ScheduleOptions& options :
       {ScheduleOptions{Scheme::in_core, 1, 8}, ScheduleOptions{Scheme::wavefront, 8, 8}}) {
    const RunShape run{160, 0};
    const double fp32 = predict(lattice_of(992, 64, 200), options, run, speeds).mlups;
    const double fp16 =
        predict(lattice_of(992, 64, 200, StorageType::fp16), options, run, speeds).mlups;
    EXPECT_NEAR(fp16 / fp32, 2, 0.02);
  }
}

TEST(Model, AFastLinkLeavesTheUpdates) {
  const Lattice lattice = lattice_of(64, 64, 300);
  const DeviceSpeeds speeds = device_of(fast, 1e12, fast);
  const Prediction p = predict(lattice, {Scheme::wavefront, 8, 4}, {80, 0}, speeds);
  EXPECT_NEAR(p.seconds, 80 * 300 * plane_seconds(lattice, speeds), 1e-6 * p.seconds);
  EXPECT_NEAR(p.update_share, 1, 1e-6);
}

// Loads and stores of a full pipeline run at the same time, at the speed of a link busy both ways.
TEST(Model, ASlowLinkDecides) {
  const Lattice lattice = lattice_of(64, 64, 400);
  DeviceSpeeds speeds = device_of(fast, fast, 0);
  speeds.link_in = speeds.link_out = 20e9;
  speeds.link_in_both = 10e9;
  speeds.link_out_both = 12e9;
  const int sweeps = 100, k = 4;
  const Prediction p = predict(lattice, {Scheme::wavefront, k, 4}, {sweeps * k, 0}, speeds);
  EXPECT_NEAR(p.seconds, sweeps * bytes_of(lattice) / 10e9, 0.01 * p.seconds);
  EXPECT_NEAR(p.load_share, 1, 1e-3);
  EXPECT_NEAR(p.store_share, 10.0 / 12, 1e-3);
  EXPECT_LT(p.update_share, 1e-3);
}

TEST(Model, CopiesTakeDeviceMemoryFromTheUpdates) {
  const Lattice lattice = lattice_of(64, 64, 300);
  const DeviceSpeeds speeds = device_of(1e12, 1e12, 1e12);
  const Prediction p = predict(lattice, {Scheme::wavefront, 10, 4}, {100, 0}, speeds);
  const double updates = 100 * 300 * plane_seconds(lattice, speeds);
  EXPECT_NEAR(p.seconds - updates, 10 * 2 * bytes_of(lattice) / 1e12, 0.001 * updates);
}

TEST(Model, WithoutOverlapTheLanesAddUp) {
  const Lattice lattice = lattice_of(64, 64, 300);
  DeviceSpeeds speeds = device_of(30e9, 20e9, 18e9);
  speeds.queues_overlap = false;
  const Prediction p = predict(lattice, {Scheme::wavefront, 10, 4}, {100, 0}, speeds);
  const double expected =
      100 * 300 * plane_seconds(lattice, speeds) + 10 * 2 * bytes_of(lattice) / 18e9;
  EXPECT_NEAR(p.seconds, expected, 1e-6 * expected);
  EXPECT_NEAR(p.load_share + p.update_share + p.store_share, 1, 1e-6);
}

// The gain of two steps in one pass on a CPU is measured with 8 planes a visit, where 6 of 16
// updates pass through the cache. With other k and B it is in proportion to the updates that pass.
TEST(Model, CachesSpareMemory) {
  const Lattice lattice = lattice_of(64, 64, 640);
  DeviceSpeeds speeds = device_of(30e9, 20e9, 18e9);
  speeds.queues_overlap = false;
  const auto mlups = [&](int k, int b, int together) {
    return predict(lattice, {Scheme::in_core, k, b, 1, together}, {640, 0}, speeds).mlups;
  };
  const double alone = mlups(2, 8, 2);
  speeds.fp32.blocked_bytes_per_second = 30e9;
  EXPECT_NEAR(mlups(2, 8, 2) / alone, 1.5, 0.02);
  EXPECT_NEAR(mlups(2, 8, 1), alone, 1e-9 * alone) << "each step by itself";
  EXPECT_NEAR(mlups(1, 1, 2), alone, 0.01 * alone) << "nothing passes";
  const double spared = (1 - 1 / 1.5) / (6.0 / 16);  // of the time of a plane that passes
  EXPECT_NEAR(alone / mlups(2, 32, 2), 1 - spared * 30.0 / 64, 0.01);
  speeds.fp32.blocked_bytes_per_second = 18e9;
  EXPECT_NEAR(mlups(2, 8, 2) / alone, 0.9, 0.02) << "or takes longer";
}

// On a GPU every plane of a pass is faster, but a pass takes time to begin: measured with 32 planes
// a launch. In a visit of many steps the first two are a pass, then the next two, and so on.
TEST(Model, PassesOfAGpuTakeTimeToBegin) {
  const Lattice lattice = lattice_of(256, 256, 960);
  DeviceSpeeds speeds = large_gpu();
  speeds.fp32.launch_seconds = 0;
  const auto seconds = [&](const ScheduleOptions& options) {
    return predict(lattice, options, {640, 0}, speeds).seconds;
  };
  const double alone = seconds({Scheme::in_core, 2, 32, 1, 2});
  speeds.fp32.blocked_bytes_per_second = 1.4 * speeds.fp32.bytes_per_second;
  const auto gain = [&](int k, int b) { return alone / seconds({Scheme::in_core, k, b, 1, 2}); };
  EXPECT_NEAR(gain(2, 32), 1.4, 0.03);
  const double begin = planes_to_begin_pass(Representation::populations);
  const auto expected = [&](int b) { return 1.4 * (1 + begin / 32) / (1 + begin / b); };
  EXPECT_NEAR(gain(2, 64), expected(64), 0.03);
  EXPECT_NEAR(gain(2, 8), expected(8), 0.04);
  EXPECT_NEAR(gain(32, 32), 1.4, 0.05);
  EXPECT_NEAR(gain(3, 32), 3 / (1 + 2 / 1.4), 0.05) << "the third step is by itself";
}

TEST(Model, FillsAndDrainsOnce) {
  const Lattice lattice = lattice_of(64, 64, 400);
  const DeviceSpeeds speeds = device_of(fast, 1e12, 20e9);
  const ScheduleOptions options{Scheme::wavefront, 32, 8};
  const Prediction one = predict(lattice, options, {320, 0}, speeds);
  const Prediction two = predict(lattice, options, {640, 0}, speeds);
  EXPECT_GT(one.fill_seconds, 0);
  EXPECT_NEAR(2 * one.seconds - two.seconds, one.fill_seconds, 1e-9 * two.seconds);
}

TEST(Model, MoreStepsHideTheLink) {
  const Lattice lattice = lattice_of(256, 256, 600);
  const DeviceSpeeds speeds = large_gpu();
  const auto mlups = [&](const ScheduleOptions& options) {
    return predict(lattice, options, {6400, 0}, speeds).mlups;
  };
  double last = 0;
  for (int k = 1; k <= 64; k *= 2) {
    const double now = mlups({Scheme::wavefront, k, 8});
    EXPECT_GT(now, last) << k;
    last = now;
  }
  const double in_core = mlups({Scheme::in_core, 1, 8});
  EXPECT_GT(last, 0.97 * in_core);
  EXPECT_LT(last, in_core);
  // 76 bytes in while a cell is updated once.
  EXPECT_NEAR(mlups({Scheme::wavefront, 1, 8}), 1e-6 * 48e9 / 76, 0.02 * 1e-6 * 48e9 / 76);
}

TEST(Model, HalosAreComputedAgain) {
  const Lattice lattice = lattice_of(64, 64, 320, StorageType::fp32, true);
  const DeviceSpeeds speeds = device_of(fast, 1e12, fast);
  const Prediction p = predict(lattice, {Scheme::halo, 8, 16}, {80, 0}, speeds);
  const double useful = 80 * 320 * plane_seconds(lattice, speeds);
  EXPECT_NEAR(p.seconds / useful, (16 + 8 - 1) / 16.0, 0.01);
}

TEST(Model, SweepsEndOnOutputs) {
  const Lattice lattice = lattice_of(64, 64, 400);
  const DeviceSpeeds speeds = device_of(fast, fast, 20e9);
  const double often = predict(lattice, {Scheme::wavefront, 64, 8}, {640, 10}, speeds).seconds;
  const double ten = predict(lattice, {Scheme::wavefront, 10, 8}, {640, 0}, speeds).seconds;
  EXPECT_NEAR(often, ten, 0.01 * ten);
  EXPECT_GT(often, 5 * predict(lattice, {Scheme::wavefront, 64, 8}, {640, 0}, speeds).seconds);
}

// A simulation that leaves out no sweep and no plane, as predict() does.
double worked_off(const Lattice& lattice, const ScheduleOptions& options, std::int64_t steps,
                  const DeviceSpeeds& speeds) {
  const auto scheduler = make_scheduler({lattice.nz, lattice.periodic_z()}, options);
  scheduler->prologue();
  std::int64_t left = steps;
  const SweepSource source = [&]() -> std::optional<Sweep> {
    const int sweep = next_sweep_steps(left, options.steps_per_visit);
    left -= sweep;
    return sweep > 0 ? std::optional<Sweep>(Sweep{sweep}) : std::nullopt;
  };
  const double bytes = static_cast<double>(lattice.layout.bytes);
  std::vector<double> loaded, updated, stored;
  const auto at = [](const std::vector<double>& ends, int visit) {
    if (visit < 0 || ends.empty()) return 0.0;
    return ends[std::min<std::size_t>(visit, ends.size() - 1)];
  };
  const auto last = [](const std::vector<double>& ends) { return ends.empty() ? 0 : ends.back(); };
  while (const auto visit = scheduler->next(source)) {
    const double in = bytes * static_cast<double>(visit->loads.size());
    const double out = bytes * static_cast<double>(visit->stores.size());
    double updates = visit->updates.empty() ? 0 : (in + out) / speeds.copy;
    for (const Update& update : visit->updates) {
      updates += speeds.fp32.launch_seconds +
                 static_cast<double>(update.out.size()) * plane_seconds(lattice, speeds);
    }
    const double load = std::max({last(loaded), at(updated, visit->load_after_update),
                                  at(stored, visit->load_after_store)}) +
                        in / (out > 0 ? speeds.link_in_both : speeds.link_in);
    const double update =
        std::max({last(updated), load, at(stored, visit->update_after_store)}) + updates;
    stored.push_back(std::max(last(stored), update) +
                     out / (in > 0 ? speeds.link_out_both : speeds.link_out));
    loaded.push_back(load);
    updated.push_back(update);
  }
  return std::max({last(loaded), last(updated), last(stored)});
}

TEST(Model, AgreesWithWorkingOffEveryVisit) {
  std::mt19937 random(7);
  const auto in = [&](int low, int high) {
    return low + static_cast<int>(random() % (high - low));
  };
  for (int i = 0; i < 60; ++i) {
    const Scheme scheme =
        std::array{Scheme::in_core, Scheme::wavefront, Scheme::halo}[static_cast<unsigned>(i % 3)];
    const Lattice lattice = lattice_of(256, 256, in(100, 500), StorageType::fp32, i % 2 == 0);
    const ScheduleOptions options{scheme, in(1, 20), in(4, 17)};
    const int steps = options.steps_per_visit * in(8, 20);
    const DeviceSpeeds speeds = large_gpu();
    const double expected = worked_off(lattice, options, steps, speeds);
    EXPECT_NEAR(predict(lattice, options, {steps, 0}, speeds).seconds, expected, 0.02 * expected)
        << to_string(scheme) << ", nz " << lattice.nz << ", k " << options.steps_per_visit << ", B "
        << options.planes_per_visit << ", steps " << steps << ", periodic " << (i % 2 == 0);
  }
}

TEST(Model, OneStepOfOnePlane) {
  const Lattice lattice = lattice_of(64, 64, 1);
  const DeviceSpeeds speeds = large_gpu();
  for (const Scheme scheme : {Scheme::in_core, Scheme::wavefront, Scheme::halo}) {
    const Prediction p = predict(lattice, {scheme, 1, 1}, {1, 0}, speeds);
    EXPECT_GT(p.seconds, 0);
    EXPECT_LT(p.seconds, 1e-3);
    EXPECT_NEAR(p.mlups * p.seconds, 64 * 64 * 1e-6, 1e-9);
  }
}

}  // namespace
}  // namespace lbm::tiling::test
