// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cases/run/setup/commit.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

struct Bandwidth {
  BenchGroup group;
  const char* name;
  double bytes_per_second;
};

std::vector<Bandwidth> bandwidths(const BenchSession& session) {
  const DeviceSpeeds& s = session.speeds;
  std::vector<Bandwidth> all;
  if (session.limits.wants(BenchGroup::copy)) {
    all.push_back({BenchGroup::copy, "copy on the device", s.copy});
  }
  if (!session.limits.wants(BenchGroup::link)) return all;
  all.push_back({BenchGroup::link, "host to device", s.link_in});
  all.push_back({BenchGroup::link, "device to host", s.link_out});
  all.push_back({BenchGroup::link, "host to device, both ways at once", s.link_in_both});
  all.push_back({BenchGroup::link, "device to host, both ways at once", s.link_out_both});
  return all;
}

constexpr const char* not_measured = "too little memory to measure it";

std::string schedule(const BenchCase& bench) {
  const auto& o = bench.options;
  if (o.scheme == tiling::Scheme::in_core && o.steps_per_visit == 1) return "in core";
  const char* name = o.scheme == tiling::Scheme::in_core ? "in core" : tiling::to_string(o.scheme);
  return fmt::format("{} k={} B={}{}", name, o.steps_per_visit, o.planes_per_visit,
                     o.updates_together > 1 ? " 2/pass" : "");
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", 100 * *share) : "";
}

std::string label(const BenchCase& bench) {
  if (bench.group != BenchGroup::threads) return bench.name;
  return fmt::format("{}, {} thread{}", bench.name, bench.threads, bench.threads == 1 ? "" : "s");
}

io::Json bandwidth_json(const Bandwidth& b) {
  io::Json json = {{"group", to_string(b.group)}, {"name", b.name}};
  if (b.bytes_per_second > 0) {
    json["gb_per_s"] = 1e-9 * b.bytes_per_second;
  } else {
    json["skipped"] = not_measured;
  }
  return json;
}

io::Json row_json(const BenchRow& row) {
  const BenchCase& bench = row.bench;
  const auto& n = bench.cells;
  io::Json json = {{"group", to_string(bench.group)},
                   {"name", bench.name},
                   {"cells", n},
                   {"cell_count", std::int64_t{n[0]} * n[1] * n[2]},
                   {"storage", to_string(bench.storage)},
                   {"representation", to_string(bench.representation)},
                   {"box", to_string(bench.box)},
                   {"scheme", tiling::to_string(bench.options.scheme)},
                   {"auto", bench.automatic()},
                   {"threads", bench.threads},
                   {"device_limit", bench.device_limit}};
  if (!bench.skipped.empty()) {
    json["skipped"] = bench.skipped;
    return json;
  }
  json["k"] = bench.options.steps_per_visit;
  json["B"] = bench.options.planes_per_visit;
  json["steps_per_pass"] = bench.options.updates_together;
  json["steps"] = row.steps;
  json["seconds"] = row.seconds;
  json["mlups"] = row.mlups;
  if (bench.threads > 0) json["mlups_per_thread"] = row.mlups / bench.threads;
  json["gb_per_s"] = row.gb_per_s;
  json["share_of_copy"] = row.share_of_copy;
  json["share_of_in_core"] = row.share_of_in_core;
  json["predicted_mlups"] = row.predicted_mlups;
  json["device_bytes"] = row.device_bytes;
  json["host_bytes"] = row.host_bytes;
  return json;
}

io::Json machine_json(const BenchSession& session) {
  const DeviceFacts& facts = session.facts;
  return {{"device", session.device},
          {"backend", to_string(facts.backend)},
          {"device_memory_bytes", facts.total_memory},
          {"link", facts.link},
          {"numa_node", facts.numa_node},
          {"host_threads", static_cast<int>(std::thread::hardware_concurrency())},
          {"host_memory_bytes", host_memory_total()},
          {"device_bytes_allowed", session.limits.device_bytes},
          {"host_bytes_allowed", session.limits.host_bytes}};
}

}  // namespace

std::string bench_group_text(BenchGroup group) {
  return fmt::format("\n{:<53} {:<28} {:>6} {:>7} {:>8} {:>7} {:>6} {:>8} {:>9} {:>6}\n",
                     to_string(group), "", "steps", "s", "MLUPS", "GB/s", "% copy", "% in core",
                     "predicted", "off");
}

std::string bench_speeds_text(const BenchSession& session) {
  std::string text;
  for (const Bandwidth& b : bandwidths(session)) {
    text += b.bytes_per_second > 0
                ? fmt::format("{:<8} {:<40} {:8.1f} GB/s\n", to_string(b.group), b.name,
                              1e-9 * b.bytes_per_second)
                : fmt::format("{:<8} {:<40} {}\n", to_string(b.group), b.name, not_measured);
  }
  return text;
}

std::string bench_row_text(const BenchRow& row) {
  const BenchCase& bench = row.bench;
  const std::string name = fmt::format("  {:<51}", label(bench));
  if (!bench.skipped.empty()) return fmt::format("{} skipped: {}\n", name, bench.skipped);
  std::string text = fmt::format("{} {:<28} {:>6} {:>7.2f} {:>8.0f} {:>7.0f}", name,
                                 schedule(bench), row.steps, row.seconds, row.mlups, row.gb_per_s);
  text += fmt::format(" {:>6} {:>9}", percent(row.share_of_copy), percent(row.share_of_in_core));
  if (row.predicted_mlups) {
    text += fmt::format(" {:>9.0f} {:>+5.1f}%", *row.predicted_mlups,
                        100 * (row.mlups / *row.predicted_mlups - 1));
  }
  if (bench.threads > 1) text += fmt::format(", {:.0f} a thread", row.mlups / bench.threads);
  return text + "\n";
}

std::optional<double> loss_out_of_core(const std::vector<BenchRow>& rows) {
  std::optional<double> loss;
  std::uint64_t device_limit = 0;  // rows on a part of the device do not count beside all of it
  for (const BenchRow& row : rows) {
    const BenchCase& bench = row.bench;
    const bool asked = bench.group == BenchGroup::out_of_core && bench.automatic() &&
                       bench.options.scheme != tiling::Scheme::in_core &&
                       bench.storage == StorageType::fp32 &&
                       bench.representation == Representation::populations;
    if (!asked || !row.share_of_in_core || bench.device_limit < device_limit) continue;
    device_limit = bench.device_limit;
    loss = 1 - *row.share_of_in_core;
  }
  return loss;
}

std::string bench_loss_text(const std::vector<BenchRow>& rows) {
  const auto loss = loss_out_of_core(rows);
  if (!loss) return "";
  return fmt::format("\nout of core, fp32: {:.1f} % of the speed in core is lost\n", 100 * *loss);
}

io::Json bench_json(const BenchSession& session, const std::vector<BenchRow>& rows,
                    const std::string& stopped) {
  io::Json json = {{"version", LBM_VERSION},
                   {"commit", commit()},
                   {"started", session.started},
                   {"complete", stopped.empty()}};
  if (!stopped.empty()) json["stopped"] = stopped;
  json["quick"] = session.limits.quick;
  json["machine"] = machine_json(session);
  json["speeds"] = speeds_json(session.speeds);
  const auto loss = loss_out_of_core(rows);
  json["loss_out_of_core"] = loss ? io::Json(*loss) : io::Json();
  json["links"] = bench_links_json(session.links);
  json["rows"] = io::Json::array();
  for (const Bandwidth& b : bandwidths(session)) json["rows"].push_back(bandwidth_json(b));
  for (const BenchRow& row : rows) json["rows"].push_back(row_json(row));
  return json;
}

}  // namespace lbm::cases
