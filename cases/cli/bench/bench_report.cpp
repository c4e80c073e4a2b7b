// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/bench/bench_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/setup/program_file.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

constexpr const char* not_measured = "too little memory to measure it";

// Rows of copies: `group`, `name`, and `gb_per_s` or `skipped`.
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

std::string schedule(const BenchCase& bench) {
  const auto& o = bench.options;
  if (bench.in_core() && o.steps_per_visit == 1) return "in core";
  return fmt::format("{} k={} B={}{}", bench.in_core() ? "in core" : tiling::to_string(o.scheme),
                     o.steps_per_visit, o.planes_per_visit,
                     o.updates_together > 1 ? " 2/pass" : "");
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", 100 * *share) : "";
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
  if (!bench.fits()) {
    json["skipped"] = bench.skipped;
    return json;
  }
  json.update({{"k", bench.options.steps_per_visit},
               {"B", bench.options.planes_per_visit},
               {"steps_per_pass", bench.options.updates_together},
               {"steps", row.steps},
               {"seconds", row.seconds},
               {"mlups", row.mlups}});
  if (bench.threads > 0) json["mlups_per_thread"] = row.mlups / bench.threads;
  json.update({{"gb_per_s", row.gb_per_s},
               {"share_of_copy", row.share_of_copy},
               {"share_of_in_core", row.share_of_in_core},
               {"predicted_mlups", row.predicted_mlups},
               {"device_bytes", row.device_bytes},
               {"host_bytes", row.host_bytes}});
  return json;
}

}  // namespace

std::string bench_group_text(BenchGroup group) {
  return fmt::format("\n{:<53} {:<28} {:>6} {:>7} {:>8} {:>7} {:>6} {:>8} {:>9} {:>6}\n",
                     to_string(group), "", "steps", "s", "MLUPS", "GB/s", "% copy", "% in core",
                     "predicted", "off");
}

std::string bench_speeds_text(const BenchSession& session) {
  std::string text;
  for (const io::Json& row : copy_rows(session)) {
    const std::string speed = row.contains("skipped")
                                  ? not_measured
                                  : fmt::format("{:8.1f} GB/s", row["gb_per_s"].get<double>());
    text += fmt::format("{:<8} {:<40} {}\n", io::text_in(row["group"]), io::text_in(row["name"]),
                        speed);
  }
  return text;
}

std::string bench_link_text(const BenchLink& link) {
  const LinkSpeed& s = link.speed;
  if (!s.measured()) return fmt::format("link     {}: too little memory\n", link.path.name());
  return fmt::format("link     {:<62} in {:5.1f}, out {:5.1f}, both {:5.1f} + {:.1f} GB/s\n",
                     link.path.name(), 1e-9 * s.in, 1e-9 * s.out, 1e-9 * s.in_both,
                     1e-9 * s.out_both);
}

std::string bench_row_text(const BenchRow& row) {
  const BenchCase& bench = row.bench;
  std::string label = bench.name;
  if (bench.group == BenchGroup::threads) {
    label += fmt::format(", {} thread{}", bench.threads, bench.threads == 1 ? "" : "s");
  }
  if (!bench.fits()) return fmt::format("  {:<51} skipped: {}\n", label, bench.skipped);
  std::string text =
      fmt::format("  {:<51} {:<28} {:>6} {:>7.2f} {:>8.0f} {:>7.0f} {:>6} {:>9}", label,
                  schedule(bench), row.steps, row.seconds, row.mlups, row.gb_per_s,
                  percent(row.share_of_copy), percent(row.share_of_in_core));
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
                       !bench.in_core() && bench.storage == StorageType::fp32 &&
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
  for (const BenchRow& row : rows) json["rows"].push_back(row_json(row));
  return json;
}

}  // namespace lbm::cases
