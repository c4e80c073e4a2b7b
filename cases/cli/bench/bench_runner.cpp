// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>
#include <utility>

#include "cases/cli/bench/bench.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "tiling/model/choose_schedule.hpp"
#include "tiling/model/performance_model.hpp"
#include "tiling/pipeline/pipeline.hpp"
#include "tiling/store/plane_store.hpp"

namespace lbm::cases {

// Lattices of any kind, one at a time: a few planes of a flow, repeated to fill 80 GB quickly. Out
// of core in a single piece of pinned host memory, since pinning takes longer than measuring; in
// core they are loaded from the few planes, and nothing can be stored.
class BenchStore final : public tiling::PlaneStore {
 public:
  // backend must outlive the object. bytes: of the largest lattice out of core.
  BenchStore(Backend& backend, std::size_t bytes) : backend_(backend), most_(bytes) {}

  // Planes out of core that hold a state of the same layout and storage keep it, which is as good a
  // flow. Throws ResourceError.
  void hold(const Lattice& lattice, bool in_core) {
    if (lattice.layout != lattice_.layout || lattice.storage != lattice_.storage) {
      lattice_ = Lattice();
      pattern_ = Buffer();  // freed before the next one is allocated
      pattern_ = backend_.allocate_staging(bench_pattern_planes * lattice.layout.bytes, "planes");
      for (int z = 0; z < bench_pattern_planes; ++z) {
        write_initial_plane(lattice, waves(lattice.layout.nx, lattice.layout.ny), z,
                            in(pattern_, lattice, z));
      }
      filled_ = 0;
    }
    lattice_ = lattice;
    in_core_ = in_core;
    if (in_core) return;
    if (attached_.size() == 0) {
      memory_ = backend_.allocate_host(most_, HostMemory::pinned, "the lattice");
      touch_host_memory(memory_.data(), memory_.size());
      attached_ = backend_.attach_host(memory_.data(), memory_.size(), HostMemory::pinned);
    }
#pragma omp parallel for
    for (int z = filled_; z < lattice.nz; ++z) {
      std::memcpy(store_to(z), in(pattern_, lattice, z % bench_pattern_planes),
                  lattice.layout.bytes);
    }
    filled_ = std::max(filled_, lattice.nz);
  }

  const std::byte* load_from(int plane) override {
    return in_core_ ? in(pattern_, lattice_, plane % bench_pattern_planes) : store_to(plane);
  }
  void loaded(int) override {}
  std::byte* store_to(int plane) override { return in(memory_, lattice_, plane); }
  std::size_t host_bytes() const override {
    return lattice_.layout.bytes *
           static_cast<std::size_t>(in_core_ ? bench_pattern_planes : lattice_.nz);
  }

 private:
  // Waves in every direction, without zero values; periodic in the planes of the pattern.
  static InitialState waves(int nx, int ny) {
    return [=](int y, int z, const StateRow& row) {
      const double turn = 2 * std::numbers::pi;
      const double b = turn * (y + 0.5) / ny, c = turn * (z + 0.5) / bench_pattern_planes;
      for (int x = 0; x < nx; ++x) {
        const double a = turn * (x + 0.5) / nx;
        row.ux[x] = 0.03 * std::sin(b) + 0.01 * std::cos(c);
        row.uy[x] = 0.03 * std::sin(a) + 0.01 * std::sin(c);
        row.uz[x] = 0.03 * std::cos(a) * std::sin(b);
        row.drho[x] = 0.005 * std::sin(a + b + c);
      }
    };
  }
  static std::byte* in(Buffer& memory, const Lattice& lattice, int plane) {
    return memory.data() + lattice.layout.bytes * static_cast<std::size_t>(plane);
  }

  Backend& backend_;
  std::size_t most_;
  Lattice lattice_;
  bool in_core_ = true;
  int filled_ = 0;  // planes of memory_
  Buffer pattern_, memory_;
  Buffer attached_;  // released before the memory
};

namespace {

using Clock = std::chrono::steady_clock;
using tiling::Sweep;

void run_once(tiling::Pipeline& pipeline, const Sweep& sweep) {
  bool given = false;
  const auto next = [&] {
    return std::exchange(given, true) ? std::nullopt : std::optional<Sweep>(sweep);
  };
  pipeline.run(next, {});
}

// The model assumes large launches and memory traffic: it ignores savings by a CPU's cache.
bool is_predictable(const BenchCase& bench, const DeviceSpeeds& speeds) {
  if (bench.threads > 0 && bench.options.steps_per_visit > 1) return false;
  return speeds.update(bench_lattice(bench)).bytes_per_second > 0 &&
         (bench.in_core() || (speeds.link_in_both > 0 && speeds.copy > 0));
}

constexpr const char* not_measured = "too little memory to measure it";

std::string schedule(const io::Json& row) {
  const bool in_core = row["scheme"] == "in_core";
  if (in_core && row["k"] == 1) return "in core";
  return fmt::format("{} k={} B={}{}", in_core ? "in core" : io::text_in(row["scheme"]),
                     row["k"].get<int>(), row["B"].get<int>(),
                     row["steps_per_pass"] > 1 ? " 2/pass" : "");
}

io::Json link_json(const BenchLink& link) {
  const auto& [path, speed] = link;
  io::Json json = {{"host_memory", to_string(path.memory)},
                   {"method", to_string(path.method)},
                   {"node", path.node < 0 ? io::Json() : io::Json(path.node)},
                   {"copy_bytes", path.copy_bytes}};
  if (!speed.measured()) {
    json["skipped"] = not_measured;
    return json;
  }
  json.update({{"in_gb_per_s", 1e-9 * speed.in},
               {"out_gb_per_s", 1e-9 * speed.out},
               {"in_both_gb_per_s", 1e-9 * speed.in_both},
               {"out_both_gb_per_s", 1e-9 * speed.out_both}});
  return json;
}

}  // namespace

BenchRunner::BenchRunner(Backend& backend, const DeviceSpeeds& speeds,
                         std::uint64_t most_lattice_bytes, std::function<bool()> stop)
    : backend_(backend),
      speeds_(speeds),
      stop_(std::move(stop)),
      store_(std::make_shared<BenchStore>(backend, most_lattice_bytes)) {}

void BenchRunner::measure(const BenchCase& bench) {
  io::Json row = {{"group", to_string(bench.group)},
                  {"name", bench.name},
                  {"cells", bench.cells},
                  {"cell_count", static_cast<std::int64_t>(bench.cell_count())},
                  {"storage", to_string(bench.storage)},
                  {"representation", to_string(bench.representation)},
                  {"box", to_string(bench.box)},
                  {"scheme", tiling::to_string(bench.options.scheme)},
                  {"auto", bench.automatic()},
                  {"threads", bench.threads},
                  {"device_limit", bench.device_limit}};
  std::string skipped = bench.skipped;
  try {
    if (bench.fits()) row.update(run(bench));
  } catch (const ResourceError& error) {
    skipped = error.what();
  }
  if (stop_()) return;
  if (!skipped.empty()) row["skipped"] = skipped;
  const double in_core = skipped.empty() && !bench.in_core() ? in_core_mlups(row) : 0;
  if (in_core > 0) row["share_of_in_core"] = row["mlups"].get<double>() / in_core;
  rows_.push_back(std::move(row));
}

double BenchRunner::in_core_mlups(const io::Json& row) const {
  const auto same = [&](const io::Json& other) {
    const std::array keys{"group", "box", "storage", "representation"};
    return !other.contains("skipped") && other["scheme"] == "in_core" &&
           other["cells"][0] == row["cells"][0] &&
           std::all_of(keys.begin(), keys.end(),
                       [&](const char* key) { return other[key] == row[key]; });
  };
  const auto found = std::find_if(rows_.rbegin(), rows_.rend(), same);
  return found == rows_.rend() ? 0 : (*found)["mlups"].get<double>();
}

// The measured members of a row.
io::Json BenchRunner::run(const BenchCase& bench) {
  const Lattice lattice = bench_lattice(bench);
  const Boundaries boundaries = bench_boundaries(bench);
  std::unique_ptr<Backend> fewer_threads;
  if (bench.threads != backend_.threads()) fewer_threads = make_cpu_backend(bench.threads);
  Backend& backend = fewer_threads ? *fewer_threads : backend_;
  const auto needed = tiling::device_bytes_needed(lattice, boundaries, bench.options, {});
  if (needed > backend.free_memory()) {
    throw ResourceError(fmt::format("needs {} of device memory, {} are free now",
                                    human_bytes(needed), human_bytes(backend.free_memory())));
  }
  store_->hold(lattice, bench.in_core());
  tiling::Pipeline pipeline({.backend = backend,
                             .lattice = lattice,
                             .boundaries = boundaries,
                             .store = store_,
                             .options = bench.options});
  const int k = bench.options.steps_per_visit;
  if (bench.in_core()) run_once(pipeline, {k, false, false});
  const std::int64_t before = pipeline.stats().steps_completed;
  const auto begin = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  std::int64_t given = 0;
  pipeline.run(
      [&]() -> std::optional<Sweep> {
        const bool enough = given > 0 && seconds() >= bench.seconds;
        const int steps =
            bench.steps ? tiling::next_sweep_steps(*bench.steps - given, k) : (enough ? 0 : k);
        if (steps == 0 || stop_()) return std::nullopt;
        given += steps;
        return Sweep{steps};
      },
      {});
  const double time = seconds();
  const std::int64_t steps = pipeline.stats().steps_completed - before;
  if (bench.in_core()) run_once(pipeline, {k, false, true});  // checks that the result is a flow
  // Without the redundant updates of haloed tiles; including filling and draining the pipeline.
  const double mlups = 1e-6 * bench.cell_count() * static_cast<double>(steps) / time;
  const double gb_per_s = 1e-3 * mlups * bench.cell_bytes();
  io::Json row = {{"k", k},
                  {"B", bench.options.planes_per_visit},
                  {"steps_per_pass", bench.options.updates_together},
                  {"steps", steps},
                  {"seconds", time},
                  {"mlups", mlups}};
  if (bench.threads > 0) row["mlups_per_thread"] = mlups / bench.threads;
  row.update({{"gb_per_s", gb_per_s},
              {"share_of_copy", nullptr},
              {"share_of_in_core", nullptr},
              {"predicted_mlups", nullptr},
              {"device_bytes", pipeline.device_bytes()},
              {"host_bytes", store_->host_bytes()}});
  if (bench.threads != backend_.threads()) return row;
  if (speeds_.copy > 0) row["share_of_copy"] = gb_per_s * 1e9 / speeds_.copy;
  if (is_predictable(bench, speeds_)) {
    row["predicted_mlups"] = tiling::predict(lattice, bench.options, {steps, 0}, speeds_).mlups;
  }
  return row;
}

io::Json copy_rows(const BenchSession& session) {
  const DeviceSpeeds& s = session.speeds;
  const std::tuple<BenchGroup, const char*, double> all[] = {
      {BenchGroup::copy, "copy on the device", s.copy},
      {BenchGroup::link, "host to device", s.link_in},
      {BenchGroup::link, "device to host", s.link_out},
      {BenchGroup::link, "host to device, both ways at once", s.link_in_both},
      {BenchGroup::link, "device to host, both ways at once", s.link_out_both}};
  io::Json rows = io::Json::array();
  for (const auto& [group, name, speed] : all) {
    if (!session.limits.wants(group)) continue;
    io::Json row = {{"group", to_string(group)}, {"name", name}};
    if (speed > 0) {
      row["gb_per_s"] = 1e-9 * speed;
    } else {
      row["skipped"] = not_measured;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string bench_text(const std::string& part, const io::Json& values) {
  return formula::rendered(YAML::Load(bench_table())[part].as<std::string>(), values);
}

std::string bench_link_text(const BenchLink& link) {
  io::Json values = link_json(link);
  values["name"] = link.path.name();
  return bench_text("link", values);
}

std::string bench_row_text(io::Json row) {
  row["label"] = row["name"];
  if (row["group"] == "threads") {
    row["label"] =
        formula::filled("{{ name }}, {{ threads }} thread{{ 's' if threads != 1 }}", row);
  }
  if (!row.contains("skipped")) row["schedule"] = schedule(row);
  return bench_text("row", row);
}

std::optional<double> loss_out_of_core(const io::Json& rows) {
  std::optional<double> loss;
  std::uint64_t device_limit = 0;  // rows on a part of the device do not count beside all of it
  for (const io::Json& row : rows) {
    const bool asked = row["group"] == "out_of_core" && row["auto"] && row["scheme"] != "in_core" &&
                       row["storage"] == "fp32" && row["representation"] == "populations";
    const io::Json& share = io::member(row, "share_of_in_core");
    if (!asked || share.is_null() || row["device_limit"] < device_limit) continue;
    device_limit = row["device_limit"];
    loss = 1 - share.get<double>();
  }
  return loss;
}

io::Json bench_json(const BenchSession& session, const io::Json& rows, const std::string& stopped) {
  const DeviceFacts& facts = session.facts;
  io::Json json = {{"version", LBM_VERSION},
                   {"commit", commit()},
                   {"started", session.started},
                   {"complete", stopped.empty()}};
  if (!stopped.empty()) json["stopped"] = stopped;
  json["quick"] = session.limits.quick;
  json["machine"] = {{"device", session.device},
                     {"backend", to_string(facts.backend)},
                     {"device_memory_bytes", facts.total_memory},
                     {"link", facts.link},
                     {"numa_node", facts.numa_node},
                     {"host_threads", static_cast<int>(std::thread::hardware_concurrency())},
                     {"host_memory_bytes", host_memory_total()},
                     {"device_bytes_allowed", session.limits.device_bytes},
                     {"host_bytes_allowed", session.limits.host_bytes}};
  json["speeds"] = speeds_json(session.speeds);
  json["loss_out_of_core"] = loss_out_of_core(rows);
  json["links"] = io::Json::array();
  for (const BenchLink& link : session.links) json["links"].push_back(link_json(link));
  json["rows"] = copy_rows(session);
  json["rows"].insert(json["rows"].end(), rows.begin(), rows.end());
  return json;
}

}  // namespace lbm::cases
