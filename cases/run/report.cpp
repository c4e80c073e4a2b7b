#include "cases/run/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>

#include "cases/case/units_table.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::cases {
namespace {

std::int64_t cell_count(const Case& c) {
  return std::int64_t{c.grid.cells[0]} * c.grid.cells[1] * c.grid.cells[2];
}

double per_second(double amount, double seconds) { return seconds > 0 ? amount / seconds : 0; }

double cell_updates(const RunRecord& record) {
  return static_cast<double>(cell_count(record.lbm_case)) *
         static_cast<double>(record.result.steps - record.result.first_step);
}

// Share of the time loop that a queue (or the host) was at work. Queues overlap.
double share(const RunRecord& record, double seconds) {
  return per_second(seconds, record.result.seconds);
}

// The last look at the flow, and the forces of the last step.
void add_flow(const FlowRecords& records, io::Json& json) {
  if (const auto& look = records.last_sample()) {
    io::Json& state = json["last_look"];
    state["step"] = look->step;
    state["time"] = look->time;
    state["mass"] = look->mass;
    state["kinetic_energy"] = look->kinetic_energy;
    state["momentum"] = look->momentum;
    state["speed_max"] = look->speed_max;
    state["density_min"] = look->density_min;
    state["density_max"] = look->density_max;
  }
  io::Json& bodies = json["bodies"] = io::Json::array();
  for (std::size_t b = 0; b < records.bodies().size(); ++b) {
    const BodyForces& f = records.last_forces()[b];
    io::Json body = io::Json::object();
    body["name"] = records.bodies()[b];
    body["force"] = f.force;
    body["torque"] = f.torque;
    body["coefficient"] = f.coefficient;
    body["torque_coefficient"] = f.torque_coefficient;
    bodies.push_back(std::move(body));
  }
}

io::Json to_json(const ExpectationResult& r) {
  io::Json json = io::Json::object();
  json["name"] = r.name;
  json["quantity"] = r.quantity;
  json["value"] = r.value;
  json["expected"] = r.expected;
  json["tolerance"] = r.tolerance;
  json["deviation"] = r.deviation;
  json["met"] = r.met;
  if (r.position) json["position"] = *r.position;
  return json;
}

// "device", or "host and mpi" where processes differ.
io::Json exchange_of(const Setup& setup) {
  if (setup.exchange.empty()) return {};
  const std::set<std::string> kinds(setup.exchange.begin(), setup.exchange.end());
  return fmt::format("{}", fmt::join(kinds, " and "));
}

double setup_seconds(const RunRecord& record) {
  return record.setup.bodies_seconds + record.result.setup_seconds;
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

}  // namespace

double mlups(const RunRecord& record) {
  return 1e-6 * per_second(cell_updates(record), record.result.seconds);
}

double bytes_per_second(const RunRecord& record) {
  const Lattice& lattice = record.setup.lattice;
  const double per_update =
      2.0 * lattice.layout.values_per_cell * static_cast<double>(bytes_per_value(lattice.storage));
  return per_second(cell_updates(record) * per_update, record.result.seconds);
}

io::Json report_json(const RunRecord& record) {
  const auto& [lbm_case, setup, backend, result, exit_reason, files, warnings, records,
               expectations] = record;
  const auto& plan = setup.plan.options;
  io::Json json = io::Json::object();
  json["case"] = lbm_case.name;
  json["case_file"] = lbm_case.file;
  json["exit_reason"] = exit_reason;
  json["backend"] = to_string(backend.kind());
  json["device"] = backend.device_name();
  json["processes"] = setup.neighbours.processes;
  json["exchange"] = exchange_of(setup);
  json["planes"] = setup.planes.empty() ? io::Json() : io::Json(setup.planes);
  json["scheme"] = tiling::to_string(plan.scheme);
  json["scheme_reason"] = setup.plan.reason;
  json["storage"] = to_string(setup.lattice.storage);
  json["cells"] = lbm_case.grid.cells;
  json["cell_count"] = cell_count(lbm_case);
  json["steps"] = result.steps;
  json["steps_asked"] = setup.derived.steps;
  json["restarted_from_step"] = result.first_step > 0 ? io::Json(result.first_step) : io::Json();
  io::Json& checkpoints = json["checkpoints"];
  checkpoints["count"] = result.checkpoints.count;
  checkpoints["seconds"] = result.checkpoints.seconds;
  checkpoints["bytes"] = result.checkpoints.bytes;
  json["steps_per_visit"] = plan.steps_per_visit;
  json["planes_per_visit"] = plan.planes_per_visit;
  json["seconds"] = result.seconds;
  json["setup_seconds"] = setup_seconds(record);
  io::Json& setup_parts = json["setup_parts_seconds"];
  setup_parts["bodies"] = setup.bodies_seconds;
  setup_parts["allocate_and_fill"] = result.fill_seconds;
  setup_parts["pin"] = result.pin_seconds;
  json["output_wait_seconds"] = result.stats.output_wait_seconds;
  json["mlups"] = mlups(record);
  json["predicted_mlups"] =
      setup.predicted_mlups > 0 ? io::Json(setup.predicted_mlups) : io::Json();
  json["gb_per_s"] = 1e-9 * bytes_per_second(record);
  json["device_copy_gb_per_s"] = 1e-9 * result.copy_bytes_per_second;
  json["share_of_device_copy"] = per_second(bytes_per_second(record), result.copy_bytes_per_second);
  json["device_bytes"] = result.device_bytes;
  json["host_bytes"] = result.host_bytes;
  json["host_memory"] = setup.host_memory ? to_string(*setup.host_memory) : "none";
  json["link_bytes_in"] = result.stats.bytes_in;
  json["link_bytes_out"] = result.stats.bytes_out;
  io::Json& stages = json["stage_share_of_time"];
  stages["copy_in"] = share(record, result.stats.load_seconds);
  stages["update"] = share(record, result.stats.update_seconds);
  stages["copy_out"] = share(record, result.stats.store_seconds);
  stages["write_output"] = share(record, result.stats.sink_seconds);
  io::Json& flow = json["flow"];
  flow["reynolds"] = setup.derived.reynolds;
  flow["tau"] = setup.derived.tau;
  flow["mach"] = setup.derived.mach;
  flow["length_cells"] = setup.derived.length;
  flow["lattice_velocity"] = setup.derived.velocity;
  flow["convective_times"] = static_cast<double>(result.steps) / setup.derived.convective_time;
  json["collision"] = to_string(setup.lattice.collision.kind);
  json["smagorinsky"] = setup.lattice.collision.smagorinsky;
  json["units"] = units_json(lbm_case, setup.derived);
  json["solid_cells"] = setup.boundaries.solid_cells();
  if (records != nullptr) add_flow(*records, json);
  json["expectations"] = io::Json::array();
  for (const ExpectationResult& r : expectations) json["expectations"].push_back(to_json(r));
  json["files"] = files;
  json["warnings"] = warnings;
  json["version"] = LBM_VERSION;
  return json;
}

std::string summary(const RunRecord& record) {
  const RunResult& result = record.result;
  const auto percent = [&](double seconds) { return 100 * share(record, seconds); };
  std::string text =
      fmt::format("{} of {} steps in {:.1f} s (setup {:.1f} s): {:.0f} MLUPS, {:.1f} GB/s",
                  result.steps, record.setup.derived.steps, result.seconds, setup_seconds(record),
                  mlups(record), 1e-9 * bytes_per_second(record));
  if (result.first_step > 0) text += fmt::format(", after a restart at step {}", result.first_step);
  if (result.copy_bytes_per_second > 0) {
    text += fmt::format(", {:.0f} % of a copy on the device ({:.0f} GB/s)",
                        100 * bytes_per_second(record) / result.copy_bytes_per_second,
                        1e-9 * result.copy_bytes_per_second);
  }
  text += fmt::format(
      "\ntime: update {:.0f} %, copy in {:.0f} %, copy out {:.0f} % (they overlap on a GPU), "
      "writing {:.0f} % beside them, {:.1f} s of it waited for\n",
      percent(result.stats.update_seconds), percent(result.stats.load_seconds),
      percent(result.stats.store_seconds), percent(result.stats.sink_seconds),
      result.stats.output_wait_seconds);
  text += fmt::format("memory: {} on the device, {} on the host\n",
                      human_bytes(result.device_bytes), human_bytes(result.host_bytes));
  if (result.checkpoints.count > 0) {
    text += fmt::format("checkpoints: {}, {} in {:.1f} s\n", result.checkpoints.count,
                        human_bytes(result.checkpoints.bytes), result.checkpoints.seconds);
  }
  for (const ExpectationResult& r : record.expectations) text += line_of(r) + "\n";
  return text;
}

}  // namespace lbm::cases
