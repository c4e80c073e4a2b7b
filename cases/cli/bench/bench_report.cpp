// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "cases/cli/bench/bench.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "cases/run/setup/program_file.hpp"
#include "solver/core/host_memory.hpp"

namespace lbm::cases {
namespace {

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
