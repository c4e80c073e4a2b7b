// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"
#include "tiling/model/memory_needed.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/pipeline/pipeline.hpp"

namespace lbm::cases {
namespace {

using Clock = std::chrono::steady_clock;
using tiling::Scheme;

bool in_core(const BenchCase& bench) { return bench.options.scheme == Scheme::in_core; }

// Sweeps of a measurement: for a number of steps, or until its time has passed.
class Sweeps {
 public:
  Sweeps(const BenchCase& bench, const std::function<bool()>& stop)
      : bench_(bench), stop_(stop), begin_(Clock::now()) {}

  std::optional<tiling::Sweep> next() {
    const int k = bench_.options.steps_per_visit;
    const bool enough = given_ > 0 && seconds() >= bench_.seconds;
    const int steps =
        bench_.steps ? tiling::next_sweep_steps(*bench_.steps - given_, k) : (enough ? 0 : k);
    if (steps == 0 || stop_()) return std::nullopt;
    given_ += steps;
    return tiling::Sweep{steps};
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  const BenchCase& bench_;
  const std::function<bool()>& stop_;
  Clock::time_point begin_;
  std::int64_t given_ = 0;
};

void run_once(tiling::Pipeline& pipeline, const tiling::Sweep& sweep) {
  bool given = false;
  pipeline.run(
      [&]() -> std::optional<tiling::Sweep> {
        if (std::exchange(given, true)) return std::nullopt;
        return sweep;
      },
      {});
}

void check_device(const Backend& backend, std::size_t needed) {
  const std::size_t free = backend.free_memory();
  if (needed <= free) return;
  throw ResourceError(fmt::format("needs {} of device memory, {} are free now", human_bytes(needed),
                                  human_bytes(free)));
}

// The model assumes large launches and memory traffic: it ignores savings by a CPU's cache.
bool is_predictable(const BenchCase& bench, const DeviceSpeeds& speeds) {
  if (bench.threads > 0 && bench.options.steps_per_visit > 1) return false;
  return speeds.update(bench_lattice(bench)).bytes_per_second > 0 &&
         (in_core(bench) || (speeds.link_in_both > 0 && speeds.copy > 0));
}

}  // namespace

BenchRunner::BenchRunner(Backend& backend, const DeviceSpeeds& speeds,
                         std::uint64_t most_lattice_bytes, std::function<bool()> stop)
    : backend_(backend),
      speeds_(speeds),
      most_lattice_bytes_(most_lattice_bytes),
      stop_(std::move(stop)) {}

void BenchRunner::measure(const BenchCase& bench) {
  BenchRow row;
  row.bench = bench;
  try {
    if (bench.skipped.empty()) run(bench, row);
  } catch (const ResourceError& error) {
    row.bench.skipped = error.what();
  }
  if (stop_()) return;
  if (row.bench.skipped.empty()) add_speeds(row);
  rows_.push_back(std::move(row));
}

void BenchRunner::run(const BenchCase& bench, BenchRow& row) {
  const Lattice lattice = bench_lattice(bench);
  const Boundaries boundaries = bench_boundaries(bench);
  std::unique_ptr<Backend> fewer_threads;
  if (bench.threads != backend_.threads()) fewer_threads = make_cpu_backend(bench.threads);
  Backend& backend = fewer_threads ? *fewer_threads : backend_;
  check_device(backend, tiling::device_bytes_needed(lattice, boundaries, bench.options, {}));
  if (!pattern_ || !pattern_->fits(lattice)) {
    pattern_.reset();  // frees its memory before the next one is allocated
    pattern_ = std::make_shared<BenchPattern>(backend_, lattice);
  }
  if (!in_core(bench)) {
    if (!arena_) arena_ = std::make_shared<BenchArena>(backend_, most_lattice_bytes_);
    arena_->hold(lattice, *pattern_);
  }
  std::shared_ptr<tiling::PlaneStore> store = pattern_;
  if (!in_core(bench)) store = arena_;
  row.host_bytes = store->host_bytes();
  tiling::Pipeline pipeline({.backend = backend,
                             .lattice = lattice,
                             .boundaries = boundaries,
                             .store = std::move(store),
                             .options = bench.options});
  row.device_bytes = pipeline.device_bytes();
  const int k = bench.options.steps_per_visit;
  if (in_core(bench)) run_once(pipeline, {k, false, false});
  const std::int64_t before = pipeline.stats().steps_completed;
  Sweeps sweeps(bench, stop_);
  pipeline.run([&] { return sweeps.next(); }, {});
  row.seconds = sweeps.seconds();
  row.steps = pipeline.stats().steps_completed - before;
  if (in_core(bench)) run_once(pipeline, {k, false, true});  // checks that the result is a flow
}

void BenchRunner::add_speeds(BenchRow& row) const {
  const BenchCase& bench = row.bench;
  const Lattice lattice = bench_lattice(bench);
  row.mlups = 1e-6 * bench.cell_count() * static_cast<double>(row.steps) / row.seconds;
  row.gb_per_s = 1e-3 * row.mlups * 2 * lattice.layout.values_per_cell *
                 static_cast<double>(bytes_per_value(bench.storage));
  const bool all_threads = bench.threads == backend_.threads();
  if (speeds_.copy > 0 && all_threads) row.share_of_copy = row.gb_per_s * 1e9 / speeds_.copy;
  if (!in_core(bench)) {
    const auto same = std::find_if(rows_.rbegin(), rows_.rend(), [&](const BenchRow& other) {
      const BenchCase& o = other.bench;
      return o.skipped.empty() && in_core(o) && o.group == bench.group && o.box == bench.box &&
             o.storage == bench.storage && o.representation == bench.representation &&
             o.cells[0] == bench.cells[0];
    });
    if (same != rows_.rend()) row.share_of_in_core = row.mlups / same->mlups;
  }
  if (is_predictable(bench, speeds_) && all_threads) {
    row.predicted_mlups = tiling::predict(lattice, bench.options, {row.steps, 0}, speeds_).mlups;
  }
}

}  // namespace lbm::cases
