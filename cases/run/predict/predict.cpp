// SPDX-License-Identifier: Apache-2.0
#include "cases/run/predict/predict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cases/case/case_location.hpp"
#include "cases/case/initial/coarser_case.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/case/units_table.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/checkpoint/checkpoints.hpp"
#include "cases/run/machines/described_machine.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/ranks/agreement.hpp"
#include "cases/run/results/field_consumer.hpp"
#include "cases/run/setup/device_speeds_cache.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

void check_options(const PlanOptions& options, const Case& lbm_case) {
  const std::string dashes = options.command_line ? "--" : "";
  const std::tuple<std::string, double, double> numbers[]{
      {dashes + "processes", options.processes, 1},
      {options.command_line ? "--per-host" : "per_host", options.per_host, 0},
      {dashes + "network", options.network, 0},
      {dashes + "latency", options.latency, 0}};
  for (const auto& [name, found, least] : numbers) {
    if (found >= least) continue;
    throw UsageError(fmt::format("{}: found {}, must be at least {}", name, found, least));
  }
  planes_of_processes(lbm_case, options.processes);  // throws for too many
  if (options.machine.empty() || !options.measure) return;
  throw UsageError(dashes + "measure: a described machine cannot be measured; leave " + dashes +
                   "machine out");
}

std::string result_text(const ResultSize& result) {
  const bool rows = result.kind == ResultKind::probes;
  const std::string count =
      fmt::format("{} {}{}", result.count, rows ? "row" : "file", result.count == 1 ? "" : "s");
  if (!result.bytes) return count + ", as large as the surfaces will be";
  const std::string bytes = human_bytes(*result.bytes);
  if (rows) return fmt::format("{}, about {}", count, bytes);
  return fmt::format("{}, {}{}{}", count, bytes, result.count == 1 ? "" : " in all",
                     result.compressed ? " before compression" : "");
}

std::string total_text(const std::vector<ResultSize>& results) {
  if (results.empty()) return "none";
  const bool known = std::all_of(results.begin(), results.end(),
                                 [](const auto& r) { return r.bytes.has_value(); });
  return human_bytes(total_bytes(results)) + (known ? "" : " and the surfaces");
}

// Times of checkpoints of the case; empty for never.
std::string times_text(const Case& lbm_case) {
  const CheckpointKeys& keys = lbm_case.checkpoint;
  std::vector<std::string> times;
  if (keys.every_steps) {
    times.push_back(*keys.every_steps == 1 ? "every step"
                                           : fmt::format("every {} steps", *keys.every_steps));
  }
  if (keys.every_minutes) times.push_back(fmt::format("every {:.6g} minutes", *keys.every_minutes));
  if (keys.at_end) times.emplace_back("at the end");
  if (lbm_case.run.walltime) times.emplace_back("before the walltime");
  return fmt::format("{}", fmt::join(times, ", "));
}

// each, disk: bytes of one, and of all that are there at once.
std::string checkpoints_text(const Case& lbm_case, std::uint64_t each, std::uint64_t disk) {
  const std::string times = times_text(lbm_case);
  if (times.empty()) {
    const bool stops = lbm_case.checkpoint.on_signal;
    return fmt::format("none, but {} saves one of {}", stops ? "a signal" : "SIGUSR1",
                       human_bytes(each));
  }
  return fmt::format("{}: {} each, {} on the disk at most", times, human_bytes(each),
                     human_bytes(disk));
}

// Adds warnings. Empty if the case's device is not on this machine.
std::optional<Setup> set_up(const Case& lbm_case, const Derived& derived, const TimeLimit& limit,
                            std::vector<std::string>& warnings) {
  std::unique_ptr<Backend> backend;
  try {
    backend = make_backend(lbm_case);
  } catch (const UsageError& error) {
    warnings.push_back(fmt::format("memory was not checked: {}", error.what()));
    return std::nullopt;
  }
  const auto request = make_schedule_request(lbm_case, derived, *backend, false);
  const RepresentationChoice choice = choose_representation(lbm_case);
  Case chosen = lbm_case;
  chosen.lattice.representation = choice.representation;
  Setup setup = make_setup(chosen, derived, *backend, request, {}, 0, limit);
  setup.representation_reason = choice.reason;
  warnings.insert(warnings.end(), setup.warnings.begin(), setup.warnings.end());
  if (!setup.complete) {
    warnings.emplace_back(
        "bodies, profiles of faces and forces by place were not checked cell by cell, which takes "
        "more than a second or 32 MiB; the memory above is without theirs: lbm check --full looks "
        "at them");
  }
  return setup;
}

std::vector<std::string> warnings_of(const Case& lbm_case, const Derived& derived) {
  std::vector<std::string> all = warnings(lbm_case, derived);
  if (lbm_case.initial.flow == InitialFlow::arrays) {
    all.push_back(where(lbm_case, "initial.flow") +
                  ": found arrays, which only Python gives: lbm run takes this case with "
                  "--restart only");
  }
  if (!lbm_case.pictures.empty() && python_for_pictures(lbm_case).empty()) {
    all.push_back(where(lbm_case, "pictures") + ": " + no_python_for_pictures());
  }
  return all;
}

// Rounded up to two significant digits; x > 0.
double two_digits(double x) {
  const double digit = std::pow(10, std::floor(std::log10(x)) - 1);
  return std::ceil(x / digit) * digit;
}
std::int64_t two_digits_of_steps(double steps) {
  return steps < 100 ? std::llround(steps) : std::llround(two_digits(steps));
}

// Remedy for a run that ends before its flow is steady; empty for one that does not.
std::string why_too_short(const Case& lbm_case, const Derived& derived, std::int64_t steps) {
  if (derived.steps >= steps) return "";
  const Run& run = lbm_case.run;
  // Not less than the steps, or the remedy would bring the same message again.
  const auto in = [steps](double of) { return two_digits(static_cast<double>(steps) / of); };
  const std::string remedy =
      run.steps ? fmt::format("run.steps: {}", steps)
      : run.convective_times
          ? fmt::format("run.convective_times: {:.6g}", in(derived.convective_time))
      : run.revolutions ? fmt::format("run.revolutions: {:.6g}",
                                      in(static_cast<double>(derived.steps) / *run.revolutions))
                        : fmt::format("run.time: {:.6g}", in(derived.steps_per_time));
  return fmt::format("the run ends before it, after {} steps: give {}{}", derived.steps, remedy,
                     run.cascade == 1 ? ", or coarser grids first, run.cascade: 3" : "");
}

// The representation, such as "moments"; "auto" if the device of the case is not on this machine.
std::string stored(const Case& lbm_case, const std::optional<Setup>& setup) {
  if (setup) return to_string(setup->lattice.representation);
  const auto& stated = lbm_case.lattice.representation;
  return stated ? to_string(*stated) : "auto";
}

io::Json scalars_json(const Case& lbm_case, const Derived& d) {
  io::Json all = io::Json::array();
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    const ScalarNumbers n = numbers_of(scalar, lbm_case, d);
    all.push_back({{"name", scalar.name},
                   {"diffusivity", n.diffusivity},
                   {"tau", n.tau},
                   {"prandtl", n.prandtl},
                   {"peclet", n.peclet},
                   {"surfaces", scalar.bodies.size()},
                   {"conductors", scalar.conductors.size()},
                   {"rayleigh", n.rayleigh},
                   {"free_fall_mach", n.free_fall * std::sqrt(3.0)},
                   {"nusselt_estimate", n.nusselt},
                   {"layer_cells_estimate", n.layer}});
  }
  return all;
}

// Values of the page besides the JSON.
io::Json words_of(const Case& lbm_case, const Derived& d, const std::optional<Setup>& setup) {
  io::Json words = {{"title", lbm_case.file.empty() ? lbm_case.name : one_line(lbm_case.file)},
                    {"reynolds_text", reynolds_text(lbm_case, d)},
                    {"representation_reason", ""},
                    {"fluid_only", setup && setup->stored == CellsStored::fluid}};
  const auto numbers = cell_reynolds_numbers(lbm_case, d);
  // The number that is nearest to its limit of stability, or farthest beyond it.
  const auto hardest = std::max_element(
      numbers.begin(), numbers.end(),
      [](const auto& a, const auto& b) { return a.number / a.stable < b.number / b.stable; });
  if (hardest != numbers.end()) {
    words["hardest"] = {{"key", hardest->key},
                        {"value", hardest->number},
                        {"stable_up_to", hardest->stable},
                        {"where", hardest->where}};
  }
  if (const auto share = blockage(lbm_case, d)) words["blockage_text"] = blockage_text(*share);
  const Units units = make_units(lbm_case, d);
  if (const SpongeKeys& sponge = lbm_case.sponge; !sponge.faces.empty()) {
    std::vector<std::string> faces;
    for (const int face : sponge.faces)
      faces.push_back(face_names()[static_cast<std::size_t>(face)]);
    const double strength = sponge.strength.value_or(SpongeKeys::default_strength);
    words["sponge"] = {{"faces", fmt::format("{}", fmt::join(faces, ", "))},
                       {"cells", to_cells(units, *sponge.thickness)},
                       {"percent", 100 * std::exp(-2 * strength)}};
  }
  for (const VoxelFacts& f : setup ? setup->voxels : std::vector<VoxelFacts>()) {
    words["voxel_lines"].push_back({{"body", f.body}, {"text", f.text()}});
  }
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid) continue;
    words["references"].push_back(
        {{"body", body.name},
         {"text", reference_text(body_reference(body, units, d), units, lbm_case.units)}});
  }
  return words;
}

}  // namespace

Answer plan_case(const Case& lbm_case, const PlanOptions& options) {
  validate(lbm_case);
  check_options(options, lbm_case);
  if (options.machine.empty()) {
    const auto backend = make_backend(lbm_case);
    if (options.measure) measure_and_keep(*backend, measuring_budget(*backend));
    return plan_case(lbm_case, options, *backend);
  }
  const DescribedMachine machine = described_machine(options.machine);
  check_scheme(lbm_case, machine.device);
  return plan_case(lbm_case, options, *make_described_backend(machine), &machine);
}

void add_schedule(const Choice& plan, const Predicted& prediction, io::Json& json) {
  if (plan) {
    json.update({{"scheme", tiling::to_string(plan->options.scheme)},
                 {"steps_per_visit", plan->options.steps_per_visit},
                 {"steps_per_pass", plan->options.updates_together},
                 {"planes_per_visit", plan->options.planes_per_visit},
                 {"reason", plan->reason},
                 {"device_bytes", plan->device_bytes},
                 {"host_bytes", plan->host_bytes}});
  }
  if (!prediction) return;
  json.update({{"mlups", prediction->mlups},
               {"seconds", prediction->seconds},
               {"stage_share_of_time",
                {{"copy_in", prediction->load_share},
                 {"update", prediction->update_share},
                 {"copy_out", prediction->store_share}}},
               {"fill_seconds", prediction->fill_seconds}});
}

void add_files(const Case& lbm_case, const Derived& derived, const Lattice& lattice, io::Json& json,
               io::Json& words) {
  const std::vector<ResultSize> results = result_sizes(lbm_case, derived);
  json["output_bytes"] = total_bytes(results);
  json["results"] = io::Json::array();
  for (const ResultSize& result : results) {
    json["results"].push_back({{"name", result.name},
                               {"kind", to_string(result.kind)},
                               {result.kind == ResultKind::probes ? "rows" : "files", result.count},
                               {"bytes", result.bytes},
                               {"compressed", result.compressed}});
    words["file_lines"].push_back({{"name", result.name}, {"text", result_text(result)}});
  }
  const std::uint64_t each = checkpoint_bytes(lbm_case, derived, lattice);
  const auto most = static_cast<std::uint64_t>(checkpoints_to_come(lbm_case, derived));
  const std::uint64_t disk = saturating_multiply(most, each);
  json["checkpoint_bytes"] = each;
  json["checkpoint_disk_bytes"] = disk;
  words["file_lines"].push_back({{"name", "results in all"}, {"text", total_text(results)}});
  words["file_lines"].push_back(
      {{"name", "checkpoints"}, {"text", checkpoints_text(lbm_case, each, disk)}});
}

void add_coarser_grids(const Case& lbm_case, const Derived& derived, io::Json& json) {
  json["coarser_grids"] = io::Json::array();
  const auto updates = [](const Case& c, std::int64_t steps) {
    return static_cast<double>(cell_count(c.grid.cells)) * static_cast<double>(steps);
  };
  double share = 0;
  for (const int factor : coarsening_factors(lbm_case)) {
    const Case coarser = coarser_case(lbm_case, derived, factor);
    const std::int64_t steps = validate(coarser).steps;
    json["coarser_grids"].push_back(
        {{"factor", factor}, {"cells", coarser.grid.cells}, {"steps", steps}});
    share += updates(coarser, steps) / updates(lbm_case, derived.steps);
  }
  json["coarser_share_of_updates"] = share;
}

void add_time_to_answer(const Case& lbm_case, const Derived& derived,
                        const std::optional<TimeToAnswer>& estimate,
                        std::optional<double> seconds_of_step, io::Json& json) {
  if (!estimate) return;
  const TimeToAnswer& e = *estimate;
  const std::int64_t steps = two_digits_of_steps(e.steps);
  const std::int64_t from_rest = two_digits_of_steps(e.steps_from_rest);
  json.update({{"steps_to_answer", steps},
               {e.is_rate ? "rate_at_answer" : "error_at_answer", e.error},
               {"time_scale", e.scale.text},
               {"time_constant", e.scale.steps},
               {"steps_from_rest", from_rest},
               {"too_short", why_too_short(lbm_case, derived, steps)}});
  if (!seconds_of_step) return;
  json["seconds_to_answer"] = *seconds_of_step * e.steps_with_coarser;
  json["seconds_from_rest"] = *seconds_of_step * e.steps_from_rest;
}

Answer check_case(const Case& lbm_case, const TimeLimit& limit) {
  const Derived d = validate(lbm_case);
  std::vector<std::string> notes = warnings_of(lbm_case, d);
  const std::optional<Setup> setup = set_up(lbm_case, d, limit, notes);
  io::Json json = {{"file", lbm_case.file},
                   {"name", lbm_case.name},
                   {"cells", lbm_case.grid.cells},
                   {"cell_count", cell_count(lbm_case.grid.cells)},
                   {"storage", to_string(lbm_case.lattice.storage)},
                   {"velocities", to_string(velocity_set(lbm_case.lattice))},
                   {"representation", stored(lbm_case, setup)},
                   {"reynolds", d.reynolds},
                   {"target_reynolds", lbm_case.fluid.target_reynolds},
                   {"mach", d.mach},
                   {"viscosity", d.viscosity},
                   {"tau", d.tau},
                   {"omega", d.omega},
                   {"length", d.length},
                   {"lattice_velocity", d.velocity},
                   {"convective_time_steps", d.convective_time},
                   {"steps", d.steps},
                   {"convective_times", d.duration},
                   {"field_outputs", count_of_field_files(result_sizes(lbm_case, d))}};
  add_coarser_grids(lbm_case, d, json);
  json["blockage"] = blockage(lbm_case, d);
  json["cell_reynolds"] = io::Json::array();
  for (const CellReynolds& one : cell_reynolds_numbers(lbm_case, d)) {
    json["cell_reynolds"].push_back(
        {{"key", one.key}, {"value", one.number}, {"stable_up_to", one.stable}});
  }
  if (setup) {
    json["representation_reason"] = setup->representation_reason;
    json["stored_cells"] = to_string(setup->stored);
    json["stored_share"] = setup->lattice.stored_share;
    if (setup->complete)
      add_time_to_answer(lbm_case, d, time_to_answer(lbm_case, d, setup->boundaries.view()), {},
                         json);
    add_schedule(setup->plan, {}, json);
    json["surfaces"] = surfaces_json(setup->surfaces);
    json["voxels"] = voxels_json(setup->voxels);
  }
  json["scalars"] = scalars_json(lbm_case, d);
  const Units units = make_units(lbm_case, d);
  json["bodies"] = io::Json::array();
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid) continue;
    const BodyReference r = body_reference(body, units, d);
    json["bodies"].push_back({{"name", body.name},
                              {"reference_area", r.area * units.length * units.length},
                              {"reference_length", r.length * units.length},
                              {"reference_velocity", r.velocity * units.velocity}});
  }
  json["units"] = units_json(lbm_case, d);
  json["complete"] = !setup || setup->complete;
  json["warnings"] = notes;
  io::Json all = words_of(lbm_case, d, setup);
  all.update(json);
  json.erase("reason");  // of the page alone
  return {json, formula::rendered(check_page(), all)};
}

}  // namespace lbm::cases
