// SPDX-License-Identifier: Apache-2.0

// Predictions for one of several processes: the cost of halo planes, and that no process waits for
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/tiling/model/made_up_speeds.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/schedule/schedule.hpp"

namespace lbm::tiling::test {
namespace {

TEST(ModelOfSlabs, HaloPlanesThatTakeNoTimeLeaveTheUpdates) {
  const Lattice slab = lattice_of(64, 64, 300);
  const DeviceSpeeds speeds = device_of(fast, 1e12, fast);
  for (const ScheduleOptions& options :
       {ScheduleOptions{Scheme::in_core, 1, 16}, ScheduleOptions{Scheme::wavefront, 8, 4}}) {
    const Prediction p = predict(slab, options, {80, 0}, speeds, {4, ExchangeKind::device, 0});
    EXPECT_NEAR(p.seconds, 80 * 300 * plane_seconds(slab, speeds), 1e-6 * p.seconds);
  }
}

// Two planes of each level are written to the ring, read from it and written to their slots.
TEST(ModelOfSlabs, HaloPlanesBetweenDevicesTakeDeviceMemory) {
  const Lattice slab = lattice_of(64, 64, 300);
  const DeviceSpeeds speeds = device_of(1e12, 1e12, fast);
  const int sweeps = 50, k = 10;
  const RunShape run{sweeps * k, 0};
  const ScheduleOptions options{Scheme::wavefront, k, 4};
  const double alone = predict(slab, options, run, speeds).seconds;
  const double with = predict(slab, options, run, speeds, {2, ExchangeKind::device, 0}).seconds;
  const double halo_planes = sweeps * 2.0 * k * 4 * static_cast<double>(slab.layout.bytes) / 1e12;
  EXPECT_NEAR(with - alone, halo_planes, 0.1 * halo_planes);
}

// Where the link is the limit: 2 k more planes for n planes, each way.
TEST(ModelOfSlabs, HaloPlanesThroughTheHostTakeTheLink) {
  const Lattice slab = lattice_of(64, 64, 400);
  const DeviceSpeeds speeds = device_of(fast, fast, 20e9);
  const int sweeps = 100, k = 20;
  for (const ExchangeKind kind : {ExchangeKind::host, ExchangeKind::mpi}) {
    const Prediction p =
        predict(slab, {Scheme::wavefront, k, 4}, {sweeps * k, 0}, speeds, {2, kind, 0});
    EXPECT_NEAR(p.seconds, sweeps * bytes_of(slab) * (1 + 2.0 * k / 400) / 20e9, 0.02 * p.seconds);
  }
}

TEST(ModelOfSlabs, ASlowNetworkDecides) {
  const Lattice slab = lattice_of(64, 64, 400);
  const DeviceSpeeds speeds = large_gpu();
  const int sweeps = 40, k = 16;
  const double network = 1e9;
  const Prediction p = predict(slab, {Scheme::wavefront, k, 4}, {sweeps * k, 0}, speeds,
                               {2, ExchangeKind::mpi, network});
  EXPECT_NEAR(p.seconds, sweeps * 2.0 * k * static_cast<double>(slab.layout.bytes) / network,
              0.05 * p.seconds);
}

// In core a step needs the planes of the step before: with few planes it waits for each message.
TEST(ModelOfSlabs, LatencyDecidesInThinSlabs) {
  const Lattice slab = lattice_of(64, 64, 8);
  const DeviceSpeeds speeds = large_gpu();
  const double latency = 1e-3;
  const auto seconds = [&](double late, ExchangeKind kind) {
    return predict(slab, {Scheme::in_core, 1, 1}, {100, 0}, speeds, {64, kind, 0, late}).seconds;
  };
  EXPECT_GT(seconds(latency, ExchangeKind::nccl), 95 * latency);
  EXPECT_LT(seconds(0, ExchangeKind::nccl), 20 * latency);
  EXPECT_EQ(seconds(latency, ExchangeKind::device), seconds(0, ExchangeKind::device));
}

// Simulates all visits of one of many equal processes. Its halo planes arrive as long after the
// stores of the process above as its own planes reach the process below after its stores.
double worked_off(const Lattice& slab, const ScheduleOptions& options, int sweeps,
                  const DeviceSpeeds& speeds, double network, double latency) {
  const auto scheduler = make_scheduler({3 * slab.nz, true, 0, slab.nz}, options);
  const int first = scheduler->prologue() ? 1 : 0;
  int left = sweeps;
  const SweepSource source = [&]() -> std::optional<Sweep> {
    return left-- > 0 ? std::optional<Sweep>(Sweep{options.steps_per_visit}) : std::nullopt;
  };
  const double bytes = static_cast<double>(slab.layout.bytes);
  std::vector<double> loaded, updated, stored, arrived;
  std::size_t read = 0;
  double sent = 0;
  const auto at = [](const std::vector<double>& ends, int visit) {
    if (visit < 0 || ends.empty()) return 0.0;
    return ends[std::min<std::size_t>(static_cast<std::size_t>(visit), ends.size() - 1)];
  };
  const auto last = [](const std::vector<double>& ends) { return ends.empty() ? 0 : ends.back(); };
  while (const auto visit = scheduler->next(source)) {
    double there = 0;
    for (std::size_t i = 0; i < visit->halo_in.size(); ++i) there = arrived.at(read++);
    const double in = bytes * static_cast<double>(visit->loads.size() + visit->halo_in.size());
    const double out = bytes * static_cast<double>(visit->stores.size() + visit->halo_out.size());
    double updates = visit->updates.empty() ? 0 : (in + out) / speeds.copy;
    for (const Update& update : visit->updates) {
      updates += speeds.fp32.launch_seconds +
                 static_cast<double>(update.out.size()) * plane_seconds(slab, speeds);
    }
    const double load = std::max({last(loaded), at(updated, visit->load_after_update - first),
                                  at(stored, visit->load_after_store - first), there}) +
                        in / (out > 0 ? speeds.link_in_both : speeds.link_in);
    const double update =
        std::max({last(updated), load, at(stored, visit->update_after_store - first)}) + updates;
    stored.push_back(std::max(last(stored), update) +
                     out / (in > 0 ? speeds.link_out_both : speeds.link_out));
    loaded.push_back(load);
    updated.push_back(update);
    for (std::size_t i = 0; i < visit->halo_out.size(); ++i) {
      sent = std::max(sent, stored.back()) + bytes / network;
      arrived.push_back(sent + latency);
    }
  }
  return std::max({last(loaded), last(updated), last(stored)});
}

TEST(ModelOfSlabs, AgreesWithWorkingOffEveryVisitAndEveryWait) {
  std::mt19937 random(11);
  const auto in = [&](int low, int high) {
    return low + static_cast<int>(random() % static_cast<unsigned>(high - low));
  };
  for (int i = 0; i < 60; ++i) {
    const Scheme scheme = i % 2 == 0 ? Scheme::in_core : Scheme::wavefront;
    const Lattice slab = lattice_of(256, 256, in(160, 500));
    const ScheduleOptions options{scheme, in(1, 20), in(4, 17)};
    const int sweeps = in(8, 20);
    const DeviceSpeeds speeds = large_gpu();
    const double network = i % 3 == 0 ? 4e9 : 25e9, latency = i % 5 == 0 ? 2e-3 : 0;
    const double expected = worked_off(slab, options, sweeps, speeds, network, latency);
    const double predicted = predict(slab, options, {sweeps * options.steps_per_visit, 0}, speeds,
                                     {3, ExchangeKind::mpi, network, latency})
                                 .seconds;
    EXPECT_NEAR(predicted, expected, 0.04 * expected)
        << to_string(scheme) << ", " << slab.nz << " planes, k " << options.steps_per_visit
        << ", B " << options.planes_per_visit << ", sweeps " << sweeps << ", network " << network
        << ", latency " << latency;
  }
}

}  // namespace
}  // namespace lbm::tiling::test
