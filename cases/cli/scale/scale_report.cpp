// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/cli/scale/scale.hpp"

namespace lbm::cases {
namespace {

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "";
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.0f}", *value) : "";
}

}  // namespace

std::string scale_head_text(const ScalePoint& point, std::array<int, 3> cells) {
  return fmt::format(
      "\n{} scaling, {} x {} x {} cells {}\n{:>9} {:>10} {:>9} {:>4} {:>3} {:>8} "
      "{:>9} {:>9} {:>9} {:>9}\n",
      to_string(point.scaling), cells[0], cells[1], point.planes,
      point.scaling == Scaling::weak ? "for each process" : "in all", "processes", "cells",
      "scheme", "k", "B", "exchange", "MLUPS", "share", "model", "share");
}

std::string scale_row_text(const ScaleRow& row) {
  const std::string begin = fmt::format("{:>9} ", row.point.processes);
  if (!row.failure.empty()) return begin + row.failure + "\n";
  return begin + fmt::format("{:>10.4g} {:>9} {:>4} {:>3} {:>8} {:>9.0f} {:>9} {:>9} {:>9}\n",
                             static_cast<double>(row.cells), row.scheme, row.steps_per_visit,
                             row.planes_per_visit, row.exchange, row.mlups, percent(row.efficiency),
                             number(row.predicted_mlups), percent(row.predicted_efficiency));
}

io::Json scale_json(const std::string& case_file, const std::vector<ScaleRow>& rows) {
  io::Json json = io::Json::object();
  json["case_file"] = case_file;
  json["version"] = LBM_VERSION;
  json["runs"] = io::Json::array();
  for (const ScaleRow& row : rows) {
    io::Json item = {{"scaling", to_string(row.point.scaling)},
                     {"processes", row.point.processes},
                     {"planes", row.point.planes},
                     {"nz", row.point.nz()}};
    if (row.failure.empty()) {
      item["device"] = row.device;
      item["cell_count"] = row.cells;
      item["scheme"] = row.scheme;
      item["exchange"] = row.exchange.empty() ? io::Json() : io::Json(row.exchange);
      item["steps_per_visit"] = row.steps_per_visit;
      item["planes_per_visit"] = row.planes_per_visit;
      item["mlups"] = row.mlups;
      item["efficiency"] = row.efficiency;
      item["predicted_mlups"] = row.predicted_mlups;
      item["predicted_efficiency"] = row.predicted_efficiency;
      item["seconds"] = row.seconds;
      item["setup_seconds"] = row.setup_seconds;
      item["device_bytes"] = row.device_bytes;
      item["host_bytes"] = row.host_bytes;
    } else {
      item["failure"] = row.failure;
    }
    json["runs"].push_back(std::move(item));
  }
  return json;
}

}  // namespace lbm::cases
