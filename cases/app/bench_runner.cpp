#include "cases/app/bench_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numbers>
#include <stdexcept>

#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"
#include "tiling/model.hpp"
#include "tiling/pipeline.hpp"

namespace lbm::app {
namespace {

using Clock = std::chrono::steady_clock;
using tiling::Scheme;

constexpr int pattern_planes = 8;

// Waves in every direction, so that no value is zero; they repeat every pattern_planes planes.
InitialState waves(int nx, int ny) {
  return [=](int y, int z, const StateRow& row) {
    const double turn = 2 * std::numbers::pi;
    const double b = turn * (y + 0.5) / ny, c = turn * (z + 0.5) / pattern_planes;
    for (int x = 0; x < nx; ++x) {
      const double a = turn * (x + 0.5) / nx;
      row.ux[x] = 0.03 * std::sin(b) + 0.01 * std::cos(c);
      row.uy[x] = 0.03 * std::sin(a) + 0.01 * std::sin(c);
      row.uz[x] = 0.03 * std::cos(a) * std::sin(b);
      row.density[x] = 1 + 0.005 * std::sin(a + b + c);
    }
  };
}

// A few planes, repeated as often as the lattice needs: a lattice of 80 GB is computed in no time,
// and in core it is never on the host at all.
class BenchPlanes final : public tiling::PlaneStore {
 public:
  // planes 0: only for loading, in core.
  BenchPlanes(Backend& backend, const Lattice& lattice, int planes)
      : plane_bytes_(lattice.layout.bytes), planes_(planes) {
    pattern_ = backend.allocate_staging(plane_bytes_ * pattern_planes, "staging planes");
    const InitialState state = waves(lattice.layout.nx, lattice.layout.ny);
    for (int z = 0; z < pattern_planes; ++z) {
      write_initial_plane(lattice, state, z, pattern_.data() + offset(z));
    }
    if (planes == 0) return;
    memory_ = backend.allocate_host(offset(planes), HostMemory::pinned, "the lattice");
    // First touch by all threads, then pinning, as in a run.
#pragma omp parallel for
    for (int z = 0; z < planes; ++z) {
      std::memcpy(memory_.data() + offset(z), pattern_.data() + offset(z % pattern_planes),
                  plane_bytes_);
    }
    attached_ = backend.attach_host(memory_.data(), memory_.size(), HostMemory::pinned);
    pattern_ = {};
  }

  const std::byte* load_from(int plane) override {
    return planes_ == 0 ? pattern_.data() + offset(plane % pattern_planes) : store_to(plane);
  }
  void loaded(int) override {}
  std::byte* store_to(int plane) override {
    if (plane >= planes_) throw std::logic_error("BenchPlanes: no such plane on the host");
    return memory_.data() + offset(plane);
  }
  std::size_t host_bytes() const override { return memory_.size() + pattern_.size(); }

 private:
  std::size_t offset(int plane) const { return plane_bytes_ * static_cast<std::size_t>(plane); }

  std::size_t plane_bytes_;
  int planes_;
  Buffer pattern_, memory_;
  Buffer attached_;  // released before the memory
};

// Which sweeps a measurement takes: a given number of steps, or until both time and sweeps suffice.
class Sweeps {
 public:
  explicit Sweeps(const BenchCase& bench) : bench_(bench), begin_(Clock::now()) {}

  std::optional<tiling::Sweep> next() {
    const int k = bench_.options.steps_per_visit;
    int steps = k;
    if (bench_.steps) {
      steps = tiling::next_sweep_steps(*bench_.steps - given_, k);
    } else if (sweeps_ >= bench_.least_sweeps && seconds() >= bench_.least_seconds) {
      steps = 0;
    }
    if (steps == 0) return std::nullopt;
    given_ += steps;
    ++sweeps_;
    return tiling::Sweep{steps};
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  const BenchCase& bench_;
  Clock::time_point begin_;
  std::int64_t given_ = 0;
  int sweeps_ = 0;
};

// One sweep that is not measured.
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
  throw ResourceError(fmt::format("needs {} of device memory, {} are free now",
                                  human_bytes(needed), human_bytes(free)));
}

double cells_of(const BenchCase& bench) {
  return static_cast<double>(bench.cells[0]) * bench.cells[1] * bench.cells[2];
}

}  // namespace

BenchRunner::BenchRunner(Backend& backend, const DeviceSpeeds& speeds)
    : backend_(backend), speeds_(speeds) {}

BenchRunner::~BenchRunner() = default;

tiling::PlaneStore& BenchRunner::store_for(const BenchCase& bench, const Lattice& lattice) {
  Lattice wanted = lattice;
  wanted.nz = bench.store_planes;
  if (store_ == nullptr || wanted != store_lattice_) {
    store_.reset();  // before the next one takes memory
    store_ = std::make_unique<BenchPlanes>(backend_, lattice, bench.store_planes);
    store_lattice_ = wanted;
  }
  return *store_;
}

const BenchRow& BenchRunner::measure(const BenchCase& bench) {
  const Lattice lattice = bench_lattice(bench);
  const Flags flags = bench_flags(bench);
  const bool in_core = bench.options.scheme == Scheme::in_core;
  check_device(backend_, tiling::Pipeline::device_bytes_needed(lattice, flags, bench.options, false));
  // On a CPU the device's memory is the host's: an old lattice would come on top.
  if (in_core && backend_.kind() == BackendKind::cpu) store_.reset();
  std::unique_ptr<tiling::PlaneStore> staging;
  if (in_core) staging = std::make_unique<BenchPlanes>(backend_, lattice, 0);
  tiling::PlaneStore& store = in_core ? *staging : store_for(bench, lattice);
  BenchRow row;
  row.bench = bench;
  row.host_bytes = store.host_bytes();
  tiling::Pipeline pipeline(backend_, lattice, flags, store, bench.options, nullptr);
  row.device_bytes = pipeline.device_bytes();
  const int k = bench.options.steps_per_visit;
  if (in_core) run_once(pipeline, {k, false, false});
  const std::int64_t before = pipeline.stats().steps_completed;
  Sweeps sweeps(bench);
  pipeline.run([&] { return sweeps.next(); }, {});
  row.seconds = sweeps.seconds();
  row.steps = pipeline.stats().steps_completed - before;
  if (in_core) run_once(pipeline, {k, false, true});  // the measured flow is still one
  judge(row);
  return rows_.emplace_back(std::move(row));
}

void BenchRunner::judge(BenchRow& row) const {
  const BenchCase& bench = row.bench;
  const Lattice lattice = bench_lattice(bench);
  const bool in_core = bench.options.scheme == Scheme::in_core;
  row.mlups = 1e-6 * cells_of(bench) * static_cast<double>(row.steps) / row.seconds;
  row.gb_per_s = 1e-3 * row.mlups * 2 * lattice.layout.values_per_cell *
                 static_cast<double>(bytes_per_value(bench.storage));
  if (speeds_.copy > 0) row.share_of_copy = row.gb_per_s * 1e9 / speeds_.copy;
  if (!in_core) {
    const auto same = std::find_if(rows_.rbegin(), rows_.rend(), [&](const BenchRow& other) {
      return other.bench.group == bench.group && other.bench.storage == bench.storage &&
             other.bench.box == bench.box && other.bench.options.scheme == Scheme::in_core;
    });
    if (same != rows_.rend()) row.share_of_in_core = row.mlups / same->mlups;
  }
  const bool known = speeds_.update(bench.storage).bytes_per_second > 0 &&
                     (in_core || (speeds_.link_in > 0 && speeds_.copy > 0));
  if (known) {
    row.predicted_mlups =
        tiling::predict(lattice, bench.options, {row.steps, 0}, speeds_).mlups;
  }
}

}  // namespace lbm::app
