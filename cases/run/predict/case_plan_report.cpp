// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/run/predict/case_plan.hpp"
#include "cases/run/predict/predicted_files.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::string grid_text(const std::array<int, 3>& n) {
  if (n[0] == 0) return "none";
  return fmt::format("{} x {} x {} = {:.4g} cells", n[0], n[1], n[2],
                     static_cast<double>(cell_count(n)));
}

std::string time_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.3g} ms", 1000 * seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string schedule_text(const tiling::ScheduleOptions& options) {
  return fmt::format("{}, k = {}, B = {}{}", tiling::to_string(options.scheme),
                     options.steps_per_visit, options.planes_per_visit,
                     options.updates_together > 1 ? ", two steps a pass" : "");
}

std::string memory_text(const CasePlan& plan) {
  std::string text = plan_line(
      "bytes per cell",
      fmt::format("{:.0f} ({} {} in {}), {:.1f} with padding", plan.bytes_per_cell,
                  plan.lattice.layout.values_per_cell, to_string(plan.lattice.representation),
                  to_string(plan.lattice.storage), plan.padded_bytes_per_cell));
  if (plan.lattice.layout.fluid_only) {
    text += plan_line("stored cells",
                      fmt::format("fluid, {:.4g} % of the box", 100 * plan.lattice.stored_share));
  }
  text += plan_line("device memory",
                    fmt::format("{} needed, {} allowed, {} free{}",
                                plan.plan ? human_bytes(plan.plan->device_bytes)
                                          : "at least " + human_bytes(plan.device_least),
                                human_bytes(plan.device_allowed), human_bytes(plan.device_free),
                                plan.plan ? "" : ": NOT ENOUGH"));
  if (plan.plan) {
    text += plan_line(
        "host memory",
        fmt::format("{} needed{}, {} {}{}", human_bytes(plan.host_needed),
                    plan.shares_memory ? " with the device's" : "", human_bytes(plan.host_allowed),
                    plan.lbm_case.host.memory_limit ? "allowed" : "available",
                    plan.host_needed > plan.host_allowed ? ": NOT ENOUGH" : ""));
  }
  if (plan.processes.count > 1) {
    text += plan_line("processes",
                      fmt::format("{}, {} per host, up to {} planes each; memory and "
                                  "queues of one rank, speeds and grids of all",
                                  plan.processes.count, plan.processes.per_host, plan.slab_planes));
    text += plan_line(
        "", fmt::format("halo planes by {}", tiling::to_string(plan.neighbours.exchange)));
  }
  text += plan_line("largest, same shape", grid_text(plan.largest));
  text += plan_line("largest in core", grid_text(plan.largest_in_core));
  const auto& n = plan.lbm_case.grid.cells;
  text += plan_line("largest nz", plan.largest_nz == 0 ? "none"
                                                       : fmt::format("{} with {} x {} planes",
                                                                     plan.largest_nz, n[0], n[1]));
  return text;
}

std::string measured_text(const CasePlan& plan) {
  const DeviceSpeeds& s = plan.speeds;
  std::string text = fmt::format(
      "copy {:.0f} GB/s, {}{} update {:.0f}", 1e-9 * s.copy, to_string(plan.lattice.storage),
      plan.lattice.representation == Representation::moments ? " moments" : "",
      1e-9 * s.update(plan.lattice).bytes_per_second);
  const double blocked = s.update(plan.lattice).blocked_bytes_per_second;
  if (blocked > 0) text += fmt::format(", {:.0f} with two steps in one pass", 1e-9 * blocked);
  if (plan.backend == BackendKind::cuda) {
    text +=
        fmt::format(", link in {:.1f}, out {:.1f}, both at once {:.1f} + {:.1f}", 1e-9 * s.link_in,
                    1e-9 * s.link_out, 1e-9 * s.link_in_both, 1e-9 * s.link_out_both);
  }
  text = plan_line(plan.machine.empty() ? "measured" : "assumed speeds", text);
  for (const std::string& line : plan.assumptions) text += plan_line("", line);
  if (!s.when.empty()) {
    text +=
        plan_line("", fmt::format("on {}, load average {:.1f}{}", s.when, s.load,
                                  was_busy(s) ? ": a busy machine, so speeds may be too low" : ""));
  }
  if (!plan.speeds_file.empty())
    text += plan_line("", fmt::format("kept in {}; --measure does it again", plan.speeds_file));
  return text;
}

std::string speed_text(const CasePlan& plan) {
  std::string text = measured_text(plan);
  if (!plan.plan) return text;
  text += plan_line("schedule", schedule_text(plan.plan->options) + ": " + plan.plan->reason);
  if (!plan.prediction)
    return text + plan_line("predicted", "nothing: too little memory to measure");
  const tiling::Prediction& p = *plan.prediction;
  const std::int64_t steps = plan.derived.steps;
  text += plan_line("predicted",
                    fmt::format("{:.0f} MLUPS, {} for {} step{}, without setup and output", p.mlups,
                                time_text(p.seconds), steps, steps == 1 ? "" : "s"));
  if (plan.in_core && plan.plan->options.scheme != tiling::Scheme::in_core) {
    text += plan_line("", fmt::format("{:.1f} % of in core ({:.0f} MLUPS)",
                                      100 * p.mlups / plan.in_core->mlups, plan.in_core->mlups));
    text += plan_line(
        "", fmt::format("time at work: copy in {:.0f} %, update {:.0f} %, copy out {:.0f} %",
                        100 * p.load_share, 100 * p.update_share, 100 * p.store_share));
    if (plan.backend == BackendKind::cuda) {
      text += plan_line(
          "", fmt::format("filling and draining the pipeline {}", time_text(p.fill_seconds)));
    }
  }
  return text;
}

// Both representations where the collision allows both, and why one was chosen.
std::string representations_text(const CasePlan& plan) {
  const std::string& why = plan.representation_reason;
  const char* const stored = to_string(plan.lattice.representation);
  if (plan.representations.empty()) {
    return why.empty() ? "" : plan_line("stored values", fmt::format("{}: {}", stored, why));
  }
  std::string text = fmt::format("  {:<20} {:>10} {:>8}  {:<36} {}\n", "stored values",
                                 "bytes/cell", "MLUPS", "largest, same shape", "schedule");
  for (const RepresentationPlan& row : plan.representations) {
    text += fmt::format(
        "  {:<20} {:>10.0f} {:>8}  {:<36} {}\n", to_string(row.representation), row.bytes_per_cell,
        row.prediction ? fmt::format("{:.0f}", row.prediction->mlups) : "?", grid_text(row.largest),
        row.plan ? schedule_text(row.plan->options) : "too large");
  }
  return why.empty() ? text : text + plan_line("chosen", fmt::format("{}: {}", stored, why));
}

std::string what_if_text(const CasePlan& plan) {
  if (plan.what_ifs.empty()) return "";
  std::string text = fmt::format("  {:<36} {:>8} {:>8}  {}\n", "what would change with", "MLUPS",
                                 "factor", "schedule");
  for (const WhatIf& w : plan.what_ifs) {
    if (!w.plan || !w.prediction) {
      text += fmt::format("  {:<36} {:>8}\n", w.name, w.plan ? "?" : "too large");
      continue;
    }
    const std::string factor =
        plan.prediction ? fmt::format("{:.2f}", w.prediction->mlups / plan.prediction->mlups) : "-";
    text += fmt::format("  {:<36} {:>8.0f} {:>8}  {}{}\n", w.name, w.prediction->mlups, factor,
                        schedule_text(w.plan->options), w.assumed ? " (assumed)" : "");
  }
  return text;
}

void add_schedule(io::Json& json, const std::optional<tiling::ScheduleChoice>& plan,
                  const std::optional<tiling::Prediction>& prediction) {
  if (plan) {
    json["scheme"] = tiling::to_string(plan->options.scheme);
    json["steps_per_visit"] = plan->options.steps_per_visit;
    json["steps_per_pass"] = plan->options.updates_together;
    json["planes_per_visit"] = plan->options.planes_per_visit;
    json["reason"] = plan->reason;
    json["device_bytes"] = plan->device_bytes;
    json["host_bytes"] = plan->host_bytes;
  }
  if (!prediction) return;
  json["mlups"] = prediction->mlups;
  json["seconds"] = prediction->seconds;
  json["stage_share_of_time"] = {{"copy_in", prediction->load_share},
                                 {"update", prediction->update_share},
                                 {"copy_out", prediction->store_share}};
  json["fill_seconds"] = prediction->fill_seconds;
}

void add_representations(io::Json& json, const CasePlan& plan) {
  io::Json& rows = json["representations"] = io::Json::array();
  for (const RepresentationPlan& row : plan.representations) {
    io::Json item = {{"representation", to_string(row.representation)},
                     {"bytes_per_cell", row.bytes_per_cell},
                     {"largest_cells", row.largest}};
    add_schedule(item, row.plan, row.prediction);
    rows.push_back(std::move(item));
  }
}

}  // namespace

std::string plan_text(const CasePlan& plan) {
  const auto& n = plan.lbm_case.grid.cells;
  std::string text = fmt::format("{}: {} on {}{}\n", plan.lbm_case.name, grid_text(n), plan.device,
                                 plan.machine.empty() ? "" : ", which is described, not here");
  text += plan_line("Reynolds number", reynolds_text(plan.lbm_case, plan.derived));
  text += memory_text(plan) + speed_text(plan);
  return text + results_text(plan) + representations_text(plan) + what_if_text(plan);
}

io::Json plan_json(const CasePlan& plan) {
  io::Json json = {{"case", plan.lbm_case.name},
                   {"case_file", plan.lbm_case.file},
                   {"device", plan.device},
                   {"backend", to_string(plan.backend)},
                   {"storage", to_string(plan.lattice.storage)},
                   {"representation", to_string(plan.lattice.representation)},
                   {"representation_reason", plan.representation_reason},
                   {"processes", plan.processes.count}};
  if (!plan.machine.empty()) {
    json["machine"] = plan.machine;
    json["assumptions"] = plan.assumptions;
  }
  if (plan.processes.count > 1) {
    json["processes_per_host"] = plan.processes.per_host;
    json["slab_planes"] = plan.slab_planes;
    json["exchange"] = tiling::to_string(plan.neighbours.exchange);
  }
  json["reynolds"] = plan.derived.reynolds;
  json["target_reynolds"] = plan.lbm_case.fluid.target_reynolds;
  json["cells"] = plan.lbm_case.grid.cells;
  json["cell_count"] = cell_count(plan.lbm_case.grid.cells);
  json["steps"] = plan.derived.steps;
  json["stored_cells"] =
      to_string(plan.lattice.layout.fluid_only ? CellsStored::fluid : CellsStored::all);
  json["stored_share"] = plan.lattice.stored_share;
  json["bytes_per_cell"] = plan.bytes_per_cell;
  json["padded_bytes_per_cell"] = plan.padded_bytes_per_cell;
  json["fits"] = plan.refusal.empty();
  if (!plan.refusal.empty()) json["refusal"] = plan.refusal;
  json["device_bytes_allowed"] = plan.device_allowed;
  json["device_bytes_free"] = plan.device_free;
  json["least_device_bytes"] = plan.device_least;
  if (plan.plan) json["host_bytes_needed"] = plan.host_needed;
  json["host_bytes_allowed"] = plan.host_allowed;
  json["largest_cells"] = plan.largest;
  json["largest_cells_in_core"] = plan.largest_in_core;
  json["largest_nz"] = plan.largest_nz;
  add_results(json, plan);
  add_schedule(json, plan.plan, plan.prediction);
  if (plan.in_core) json["in_core_mlups"] = plan.in_core->mlups;
  const auto& update = plan.speeds.update(plan.lattice);
  json["bytes_per_second"] = {{"device_copy", plan.speeds.copy},
                              {"update", update.bytes_per_second},
                              {"update_blocked", update.blocked_bytes_per_second},
                              {"link_in", plan.speeds.link_in},
                              {"link_out", plan.speeds.link_out},
                              {"link_in_both", plan.speeds.link_in_both},
                              {"link_out_both", plan.speeds.link_out_both}};
  json["what_if"] = io::Json::array();
  for (const WhatIf& w : plan.what_ifs) {
    io::Json item = {{"change", w.name}, {"assumed", w.assumed}};
    add_schedule(item, w.plan, w.prediction);
    json["what_if"].push_back(std::move(item));
  }
  add_representations(json, plan);
  json["warnings"] = plan.warnings;
  return json;
}

}  // namespace lbm::cases
