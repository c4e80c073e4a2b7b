// SPDX-License-Identifier: Apache-2.0

// report.json, and the summary of a run as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cases/case/units_table.hpp"
#include "cases/run/records/flow_records.hpp"
#include "cases/run/run_results.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "io/files/place.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

double per_second(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }

double cell_updates(const Case& lbm_case, const RunStats& stats) {
  return static_cast<double>(cell_count(lbm_case.grid.cells)) *
         static_cast<double>(stats.steps - stats.first_step);
}

// Million lattice-cell updates per second: all cells of the box, redundant updates not counted.
double mlups(const Case& lbm_case, const RunStats& stats) {
  return 1e-6 * per_second(cell_updates(lbm_case, stats), stats.seconds);
}

// Lattice traffic per second of those updates: every stored value read once and written once.
double bytes_per_second(const PreparedRun& run, const RunStats& stats) {
  const Lattice& lattice = run.setup.lattice;
  const double per_update =
      2.0 * lattice.layout.values_per_cell * static_cast<double>(bytes_per_value(lattice.storage));
  return per_second(lattice.stored_share * cell_updates(run.lbm_case, stats) * per_update,
                    stats.seconds);
}

// Share of the time loop that a queue (or the host) was at work. Queues overlap.
double share(const RunStats& stats, double seconds) { return per_second(seconds, stats.seconds); }

std::optional<Turning> turning_of(const PreparedRun& run, const RunResults& results,
                                  std::size_t body) {
  const FlowRecords& records = results.records;
  return turning(run.lbm_case, run.setup.derived, records.bodies()[body],
                 records.last_forces()[body], results.stats.steps);
}

// The last sample of the flow, and the forces of the last step.
void add_flow(const PreparedRun& run, const RunResults& results, io::Json& json) {
  const FlowRecords& records = results.records;
  if (const auto& sample = records.last_sample()) json["last_look"] = *sample;
  io::Json& bodies = json["bodies"] = io::Json::array();
  const std::string& caution = records.caution();
  for (std::size_t b = 0; b < records.bodies().size(); ++b) {
    const BodyForces& f = records.last_forces()[b];
    bodies.push_back({{"name", records.bodies()[b]},
                      {"force", f.force},
                      {"torque", f.torque},
                      {"coefficient", f.coefficient},
                      {"torque_coefficient", f.torque_coefficient},
                      {"caution", caution.empty() ? io::Json() : io::Json(caution)}});
    if (const auto t = turning_of(run, results, b)) {
      bodies.back()["turning"] = {{"revolutions", t->revolutions},
                                  {"power", t->power},
                                  {"power_coefficient", t->power_coefficient},
                                  {"tip_speed_ratio", t->tip_speed_ratio}};
    }
  }
}

io::Json to_json(const NamedLimit& limit) {
  return {{"name", limit.name},
          {"step", limit.step},
          {"value", limit.estimate.value},
          {"limit", limit.estimate.limit},
          {"error", limit.estimate.error}};
}

io::Json to_json(const CoarserRun& run) {
  return {{"factor", run.factor}, {"cells", run.cells},     {"steps", run.steps},
          {"time", run.time},     {"seconds", run.seconds}, {"exit_reason", run.exit_reason}};
}

// A run that continues another one leaves those of the earlier report as they are.
io::Json coarser_grids(const RunResults& results) {
  io::Json json = io::Json::array();
  for (const CoarserRun& run : results.coarser) json.push_back(to_json(run));
  if (!results.continues) return json;
  try {
    const io::Json report = io::read_json(results.directory.file("report.json").path());
    const io::Json& before = io::member(report, "coarser_grids");
    return before.is_array() ? before : json;
  } catch (const UsageError&) {  // that run was killed, or somebody has changed its report
    return json;
  }
}

io::Json to_json(const ExpectationResult& r) {
  io::Json json = {{"name", r.name},
                   {"quantity", r.quantity},
                   {"value", r.value},
                   {"expected", r.expected},
                   {"tolerance", r.tolerance},
                   {"deviation", r.deviation},
                   {"met", r.met}};
  if (r.position) json["position"] = *r.position;
  return json;
}

io::Json to_json(const QuantityResult& r) {
  io::Json json = {{"name", r.name}, {"kind", r.kind}, {"unit", r.unit}, {"value", r.value}};
  if (r.darcy) json["darcy"] = *r.darcy;
  if (!r.caution.empty()) json["caution"] = r.caution;
  const TimeStatistics& s = r.statistics;
  if (s.samples == 0) return json;
  json["samples"] = s.samples;
  json["mean"] = s.mean;
  json["mean_error"] = s.mean_error;
  json["rms"] = s.rms;
  json["rms_error"] = s.rms_error;
  const auto value_of = [](const std::optional<Extreme>& extreme) {
    return extreme ? io::Json(extreme->value) : io::Json();
  };
  json["maximum"] = value_of(s.maximum);
  json["maximum_time"] = r.maximum_time;
  json["minimum"] = value_of(s.minimum);
  json["minimum_time"] = r.minimum_time;
  json["frequency"] = s.frequency;
  json["frequency_error"] = s.frequency_error;
  json["strouhal"] = r.strouhal;
  json["strouhal_error"] = r.strouhal_error;
  return json;
}

std::int64_t stored_cell_count(const Setup& setup) {
  const auto& planes = setup.lattice.fluid_planes;
  return planes ? planes->cells : setup.lattice.layout.cells() * setup.lattice.nz;
}

// Cells of the whole box.
void add_cell_counts(const Setup& setup, const Case& lbm_case, io::Json& json) {
  const std::int64_t solid = setup.boundaries.solid_cells();
  const std::int64_t all = cell_count(lbm_case.grid.cells);
  json["solid_cells"] = solid;
  json["fluid_cells"] = all - solid;
  json["porosity"] = static_cast<double>(all - solid) / static_cast<double>(all);
}

io::Json to_json(const std::vector<NodeShare>& shares) {
  io::Json json = io::Json::array();
  for (const NodeShare& s : shares) json.push_back({{"node", s.node}, {"share", s.share}});
  return json;
}

// "device", or "host and mpi" where processes differ.
io::Json exchange_of(const Setup& setup) {
  if (setup.exchange.empty()) return {};
  const std::set<std::string> kinds(setup.exchange.begin(), setup.exchange.end());
  return fmt::format("{}", fmt::join(kinds, " and "));
}

// " +- 0.002", or nothing where the error is unknown.
std::string error_text(const std::optional<double>& error) {
  return error ? fmt::format(" +- {:.2g}", *error) : "";
}

// "quantity lift: 0.31; mean 0.012 +- 0.003, rms 0.7 +- 0.01, Strouhal number 0.298 +- 0.001"
std::string line_of(const QuantityResult& r) {
  const std::string unit = r.unit == "1" ? "" : " " + r.unit;
  std::string text = fmt::format("quantity {}: {:.6g}{}", r.name, r.value, unit);
  if (r.darcy) text += fmt::format(" ({:.4g} darcy)", *r.darcy);
  const TimeStatistics& s = r.statistics;
  if (s.samples < 2) return text + beside(r.caution);
  text += fmt::format("; mean {:.6g}{}, rms {:.4g}{}", s.mean, error_text(s.mean_error), s.rms,
                      error_text(s.rms_error));
  if (r.strouhal) {
    text += fmt::format(", Strouhal number {:.4g}{}", *r.strouhal, error_text(r.strouhal_error));
  }
  return text + beside(r.caution);
}

// Link speeds that were measured before; null without a link or where they are not known.
io::Json link_json(const Backend& backend) {
  if (backend.kind() == BackendKind::cpu) return {};
  return link_speed_json(known_speeds_of(backend).link());
}

// "expect drag: 5.61, 5.58 +- 2 %: met"
std::string line_of(const ExpectationResult& r) {
  const std::string tolerance =
      r.relative ? fmt::format("{:.4g} %{}", 100 * *r.relative, r.position ? " of the range" : "")
                 : fmt::format("{:.4g}", r.tolerance);
  return fmt::format("expect {}: {:.6g}, {:.6g} +- {}{}: {}", r.name, r.value, r.expected,
                     tolerance,
                     r.position ? fmt::format(", at {:.4g} where it is worst", *r.position) : "",
                     r.met ? "met" : "not met");
}

// "slow: 81 MLUPS of 164 predicted: ...", or nothing, also where no reason is known: the model may
// predict too much. Short runs say little about the speed.
std::string slow_text(const PreparedRun& run, const RunStats& stats) {
  if (stats.seconds < 1) return "";
  const double speed = mlups(run.lbm_case, stats), predicted = run.setup.predicted_mlups;
  const int threads = run.backend->threads();
  const double mean = run.backend->mean_threads();
  std::vector<std::string> reasons;
  const bool crowded = mean < 0.9 * threads;
  if (crowded) {
    reasons.push_back(
        fmt::format("other programs used the cores, {:.1f} of {} threads ran", mean, threads));
  }
  if (share(stats, stats.pipeline.output_wait_seconds) > 0.2) {
    reasons.push_back(
        fmt::format("{:.1f} s of waiting for files", stats.pipeline.output_wait_seconds));
  }
  if (share(stats, stats.checkpoints.seconds) > 0.2) {
    reasons.push_back(fmt::format("{:.1f} s of writing checkpoints", stats.checkpoints.seconds));
  }
  const bool slow = speed < 0.5 * predicted;
  if (reasons.empty() || (!slow && !crowded)) return "";
  const std::string of = predicted > 0 ? fmt::format(" of {:.0f} predicted", predicted) : "";
  return fmt::format("slow: {:.0f} MLUPS{}: {}\n", speed, of, fmt::join(reasons, "; "));
}

}  // namespace

io::Json report_json(const PreparedRun& run, const RunResults& results) {
  const Case& lbm_case = run.lbm_case;
  const Setup& setup = run.setup;
  const RunStats& stats = results.stats;
  const auto& plan = setup.plan.options;
  io::Json json = {
      {"case", lbm_case.name},
      {"case_file", lbm_case.file},
      {"exit_reason", stats.exit_reason},
      {"backend", to_string(run.backend->kind())},
      {"device", run.backend->device_name()},
      {"processes", setup.neighbours.processes},
      {"exchange", exchange_of(setup)},
      {"threads", run.backend->threads()},
      {"mean_threads", run.backend->mean_threads()},
      {"planes", setup.planes.empty() ? io::Json() : io::Json(setup.planes)},
      {"scheme", tiling::to_string(plan.scheme)},
      {"scheme_reason", setup.plan.reason},
      {"storage", to_string(setup.lattice.storage)},
      {"velocities", to_string(setup.lattice.velocities)},
      {"representation", to_string(setup.lattice.representation)},
      {"representation_reason", setup.representation_reason},
      {"cells", lbm_case.grid.cells},
      {"cell_count", cell_count(lbm_case.grid.cells)},
      {"stored_cells", to_string(setup.stored)},
      {"stored_cell_count", stored_cell_count(setup)},
      {"steps", stats.steps},
      {"steps_asked", setup.derived.steps},
      {"restarted_from_step", stats.first_step > 0 ? io::Json(stats.first_step) : io::Json()},
      {"changed", run.restart ? io::Json(run.restart->changes()) : io::Json::array()},
      {"checkpoints",
       {{"count", stats.checkpoints.count},
        {"seconds", stats.checkpoints.seconds},
        {"bytes", stats.checkpoints.bytes}}},
      {"steps_per_visit", plan.steps_per_visit},
      {"steps_per_pass", plan.updates_together},
      {"planes_per_visit", plan.planes_per_visit},
      {"seconds", stats.seconds},
      {"setup_seconds", setup.bodies_seconds + stats.setup_seconds},
      {"setup_parts_seconds",
       {{"bodies", setup.bodies_seconds},
        {"allocate_and_fill", stats.fill_seconds},
        {"pin", stats.pin_seconds}}},
      {"output_wait_seconds", stats.pipeline.output_wait_seconds},
      {"mlups", mlups(lbm_case, stats)},
      {"mlups_of_stored_cells", setup.lattice.stored_share * mlups(lbm_case, stats)},
      {"predicted_mlups", setup.predicted_mlups > 0 ? io::Json(setup.predicted_mlups) : io::Json()},
      {"gb_per_s", 1e-9 * bytes_per_second(run, stats)},
      {"device_copy_gb_per_s", 1e-9 * run.copy_bytes_per_second},
      {"share_of_device_copy", per_second(bytes_per_second(run, stats), run.copy_bytes_per_second)},
      {"device_bytes", stats.device_bytes},
      {"boundary_bytes", stats.boundary_bytes},
      {"boundary_bytes_of_grid", setup.boundaries.bytes().size()},
      {"host_bytes", stats.host_bytes},
      {"host_memory", setup.host_memory ? to_string(*setup.host_memory) : "none"},
      {"host_nodes", to_json(stats.host_nodes)},
      {"link_gb_per_s", link_json(*run.backend)},
      {"link_bytes_in", stats.pipeline.bytes_in},
      {"link_bytes_out", stats.pipeline.bytes_out},
      {"stage_share_of_time",
       {{"copy_in", share(stats, stats.pipeline.load_seconds)},
        {"update", share(stats, stats.pipeline.update_seconds)},
        {"copy_out", share(stats, stats.pipeline.store_seconds)},
        {"write_output", share(stats, stats.pipeline.sink_seconds)}}},
      {"flow",
       {{"reynolds", setup.derived.reynolds},
        {"target_reynolds", lbm_case.fluid.target_reynolds},
        {"tau", setup.derived.tau},
        {"mach", setup.derived.mach},
        {"length_cells", setup.derived.length},
        {"lattice_velocity", setup.derived.velocity},
        {"convective_times", static_cast<double>(stats.steps) / setup.derived.convective_time}}},
      {"collision", to_string(setup.lattice.collision.kind)},
      {"smagorinsky", setup.lattice.collision.smagorinsky},
      {"units", units_json(lbm_case, setup.derived)}};
  add_cell_counts(setup, lbm_case, json);
  add_flow(run, results, json);
  json["quantities"] = io::Json::array();
  for (const auto& r : results.quantities.results()) json["quantities"].push_back(to_json(r));
  json["until_steady"] = io::Json::array();
  for (const auto& limit : results.records.limits()) json["until_steady"].push_back(to_json(limit));
  json["surfaces"] = surfaces_json(setup.surfaces);
  json["voxels"] = voxels_json(setup.voxels);
  json["expectations"] = io::Json::array();
  for (const auto& r : results.expectation_results()) json["expectations"].push_back(to_json(r));
  json["files"] = results.files();
  json["coarser_grids"] = coarser_grids(results);
  for (const CorrectedStep& c : results.corrections) {
    json["flow_rate_corrections"].push_back(
        {{"step", c.step}, {"spread", c.spread}, {"done", c.done}});
  }
  json["warnings"] = results.notices.texts();
  json["version"] = LBM_VERSION;
  json["commit"] = commit();
  return json;
}

void write_report(const PreparedRun& run, const RunResults& results) {
  if (results.directory.is_nowhere()) return;
  io::write_file_atomically(results.directory.file("report.json"),
                            io::json_text(report_json(run, results)));
}

std::string summary(const PreparedRun& run, const RunResults& results) {
  const RunStats& stats = results.stats;
  const auto percent = [&](double seconds) { return 100 * share(stats, seconds); };
  std::string text = fmt::format(
      "{} of {} steps in {:.1f} s (setup {:.1f} s): {:.0f} MLUPS, {:.1f} GB/s", stats.steps,
      run.setup.derived.steps, stats.seconds, run.setup.bodies_seconds + stats.setup_seconds,
      mlups(run.lbm_case, stats), 1e-9 * bytes_per_second(run, stats));
  if (stats.first_step > 0) text += fmt::format(", after a restart at step {}", stats.first_step);
  if (run.copy_bytes_per_second > 0) {
    text += fmt::format(", {:.0f} % of a copy on the device ({:.0f} GB/s)",
                        100 * bytes_per_second(run, stats) / run.copy_bytes_per_second,
                        1e-9 * run.copy_bytes_per_second);
  }
  text += fmt::format(
      "\ntime: update {:.0f} %, copy in {:.0f} %, copy out {:.0f} % (they overlap on a GPU), "
      "writing {:.0f} % beside them, {:.1f} s of it waited for\n",
      percent(stats.pipeline.update_seconds), percent(stats.pipeline.load_seconds),
      percent(stats.pipeline.store_seconds), percent(stats.pipeline.sink_seconds),
      stats.pipeline.output_wait_seconds);
  text += slow_text(run, stats);
  text += fmt::format("memory: {} on the device, {} on the host\n", human_bytes(stats.device_bytes),
                      human_bytes(stats.host_bytes));
  if (stats.checkpoints.count > 0) {
    text += fmt::format("checkpoints: {}, {} in {:.1f} s\n", stats.checkpoints.count,
                        human_bytes(stats.checkpoints.bytes), stats.checkpoints.seconds);
  }
  for (const SurfaceFacts& f : run.setup.surfaces) {
    if (!f.closed) {
      text += fmt::format("surface {}: {}\n", f.body, f.text(length_unit(run.lbm_case)));
    }
  }
  for (const VoxelFacts& f : run.setup.voxels) {
    text += fmt::format("voxels {}: {}\n", f.body, f.text());
  }
  text += flow_summary(run.lbm_case, results.records);
  for (std::size_t b = 0; b < results.records.bodies().size(); ++b) {
    const auto t = turning_of(run, results, b);
    if (!t) continue;
    text += fmt::format("body {}: {}\n", results.records.bodies()[b], t->text(run.lbm_case.units));
  }
  if (stats.complete) {
    for (const QuantityResult& r : results.quantities.results()) text += line_of(r) + "\n";
  }
  for (const ExpectationResult& r : results.expectation_results()) text += line_of(r) + "\n";
  return text;
}

}  // namespace lbm::cases
