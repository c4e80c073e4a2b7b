// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cases/cli/bench/bench.hpp"
#include "cases/formula/template.hpp"
#include "cases/run/setup/commit.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

constexpr const char* not_measured = "too little memory to measure it";

std::string schedule(const BenchCase& bench) {
  const auto& o = bench.options;
  if (bench.in_core() && o.steps_per_visit == 1) return "in core";
  return fmt::format("{} k={} B={}{}", bench.in_core() ? "in core" : tiling::to_string(o.scheme),
                     o.steps_per_visit, o.planes_per_visit,
                     o.updates_together > 1 ? " 2/pass" : "");
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

std::string bench_text(const BenchLink& link) {
  io::Json values = link_json(link);
  values["name"] = link.path.name();
  return bench_text("link", values);
}

std::string bench_text(const BenchRow& row) {
  const BenchCase& bench = row.bench;
  io::Json values = row_json(row);
  values["label"] = bench.name;
  if (bench.group == BenchGroup::threads) {
    values["label"] =
        fmt::format("{}, {} thread{}", bench.name, bench.threads, bench.threads == 1 ? "" : "s");
  }
  values["schedule"] = schedule(bench);
  return bench_text("row", values);
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
