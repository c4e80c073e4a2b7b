#include <fmt/format.h>

#include "cases/app/plan.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::app {
namespace {

std::int64_t cells_of(const std::array<int, 3>& n) { return std::int64_t{n[0]} * n[1] * n[2]; }

std::string grid_text(const std::array<int, 3>& n) {
  if (n[0] == 0) return "none";
  return fmt::format("{} x {} x {} = {:.4g} cells", n[0], n[1], n[2],
                     static_cast<double>(cells_of(n)));
}

std::string time_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string schedule_text(const tiling::PlanOptions& options) {
  return fmt::format("{}, k = {}, B = {}", tiling::to_string(options.scheme),
                     options.steps_per_visit, options.planes_per_visit);
}

std::string memory_text(const CasePlan& plan) {
  std::string text =
      fmt::format("  bytes per cell    {:.0f} ({} values in {}), {:.1f} with padding\n",
                  plan.bytes_per_cell, plan.lattice.layout.values_per_cell,
                  to_string(plan.lattice.storage), plan.padded_bytes_per_cell);
  if (plan.plan) {
    text += fmt::format("  device memory     {} needed, {} allowed, {} free\n",
                        human_bytes(plan.plan->device_bytes), human_bytes(plan.device_allowed),
                        human_bytes(plan.device_free));
    text += fmt::format("  host memory       {} needed, {} {}{}\n", human_bytes(plan.host_needed),
                        human_bytes(plan.host_allowed),
                        plan.lbm_case.host.memory_limit ? "allowed" : "available",
                        plan.host_needed > plan.host_allowed ? ": NOT ENOUGH" : "");
  } else {
    text += fmt::format("  device memory     NOT ENOUGH: {}\n", plan.refusal);
  }
  text += fmt::format("  largest, same shape   {}\n", grid_text(plan.largest));
  text += fmt::format("  largest in core       {}\n", grid_text(plan.largest_in_core));
  text += fmt::format("  largest nz            {} with {} x {} planes\n", plan.largest_nz,
                      plan.lbm_case.grid.cells[0], plan.lbm_case.grid.cells[1]);
  return text;
}

std::string speed_text(const CasePlan& plan) {
  const DeviceSpeeds& s = plan.speeds;
  std::string text = fmt::format(
      "  measured          copy {:.0f} GB/s, link in {:.1f}, out {:.1f}, both at once {:.1f} + "
      "{:.1f}\n",
      1e-9 * s.copy, 1e-9 * s.link_in, 1e-9 * s.link_out, 1e-9 * s.link_in_both,
      1e-9 * s.link_out_both);
  if (!plan.plan) return text;
  text += fmt::format("  schedule          {}: {}\n", schedule_text(plan.plan->options),
                      plan.plan->reason);
  if (!plan.prediction) return text + "  prediction        none: too little memory to measure\n";
  const tiling::Prediction& p = *plan.prediction;
  text +=
      fmt::format("  predicted         {:.0f} MLUPS, {} for {} steps, without setup and files\n",
                  p.mlups, time_text(p.seconds), plan.derived.steps);
  if (plan.in_core && plan.plan->options.scheme != tiling::Scheme::in_core) {
    text += fmt::format("                    {:.1f} % of in core ({:.0f} MLUPS)\n",
                        100 * p.mlups / plan.in_core->mlups, plan.in_core->mlups);
    text += fmt::format(
        "                    lanes at work: copy in {:.0f} %, update {:.0f} %, copy out {:.0f} %; "
        "fill and drain {}\n",
        100 * p.load_share, 100 * p.update_share, 100 * p.store_share, time_text(p.fill_seconds));
  }
  if (plan.backend == BackendKind::cpu && plan.plan->options.steps_per_visit > 1) {
    text += "                    (at least: the model knows nothing of the cache)\n";
  }
  return text;
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

io::Json cells_json(const std::array<int, 3>& n) { return io::Json::array({n[0], n[1], n[2]}); }

void add_schedule(io::Json& json, const std::optional<tiling::PlanChoice>& plan,
                  const std::optional<tiling::Prediction>& prediction) {
  if (plan) {
    json["scheme"] = tiling::to_string(plan->options.scheme);
    json["steps_per_visit"] = plan->options.steps_per_visit;
    json["planes_per_visit"] = plan->options.planes_per_visit;
    json["reason"] = plan->reason;
    json["device_bytes"] = plan->device_bytes;
  }
  if (!prediction) return;
  json["mlups"] = prediction->mlups;
  json["seconds"] = prediction->seconds;
  io::Json& lanes = json["stage_share_of_time"];
  lanes["copy_in"] = prediction->load_share;
  lanes["update"] = prediction->update_share;
  lanes["copy_out"] = prediction->store_share;
  json["fill_seconds"] = prediction->fill_seconds;
}

}  // namespace

std::string plan_text(const CasePlan& plan) {
  const auto& n = plan.lbm_case.grid.cells;
  std::string text = fmt::format("{}: {} on {}\n", plan.lbm_case.name, grid_text(n), plan.device);
  text += memory_text(plan) + speed_text(plan);
  text += fmt::format("  field outputs     {}, {} in all\n", plan.derived.outputs.count(),
                      human_bytes(plan.output_bytes));
  return text + what_if_text(plan);
}

io::Json plan_json(const CasePlan& plan) {
  io::Json json = io::Json::object();
  json["case"] = plan.lbm_case.name;
  json["case_file"] = plan.lbm_case.file;
  json["device"] = plan.device;
  json["backend"] = to_string(plan.backend);
  json["storage"] = to_string(plan.lattice.storage);
  json["cells"] = cells_json(plan.lbm_case.grid.cells);
  json["cell_count"] = cells_of(plan.lbm_case.grid.cells);
  json["steps"] = plan.derived.steps;
  json["bytes_per_cell"] = plan.bytes_per_cell;
  json["padded_bytes_per_cell"] = plan.padded_bytes_per_cell;
  json["fits"] = plan.plan.has_value() && plan.host_needed <= plan.host_allowed;
  json["device_bytes_allowed"] = plan.device_allowed;
  json["device_bytes_free"] = plan.device_free;
  json["host_bytes"] = plan.host_needed;
  json["host_bytes_allowed"] = plan.host_allowed;
  json["largest_cells"] = cells_json(plan.largest);
  json["largest_cells_in_core"] = cells_json(plan.largest_in_core);
  json["largest_nz"] = plan.largest_nz;
  json["output_bytes"] = plan.output_bytes;
  add_schedule(json, plan.plan, plan.prediction);
  if (!plan.plan) json["refusal"] = plan.refusal;
  if (plan.in_core) json["in_core_mlups"] = plan.in_core->mlups;
  io::Json& speeds = json["bytes_per_second"];
  speeds["device_copy"] = plan.speeds.copy;
  speeds["link_in"] = plan.speeds.link_in;
  speeds["link_out"] = plan.speeds.link_out;
  speeds["link_in_both"] = plan.speeds.link_in_both;
  speeds["link_out_both"] = plan.speeds.link_out_both;
  json["what_if"] = io::Json::array();
  for (const WhatIf& w : plan.what_ifs) {
    io::Json item = io::Json::object();
    item["change"] = w.name;
    item["assumed"] = w.assumed;
    add_schedule(item, w.plan, w.prediction);
    json["what_if"].push_back(std::move(item));
  }
  return json;
}

}  // namespace lbm::app
