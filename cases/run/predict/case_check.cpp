// SPDX-License-Identifier: Apache-2.0
#include "cases/run/predict/case_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/case/units_table.hpp"
#include "cases/case/validate/cautions.hpp"
#include "cases/case/validate/stability.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/results/result_sizes.hpp"
#include "cases/run/setup/representation_choice.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {

CaseCheck check_case(const Case& lbm_case, const TimeLimit& limit) {
  const Derived derived = validate(lbm_case);
  CaseCheck check{lbm_case, derived, count_of_field_files(result_sizes(lbm_case, derived)),
                  std::nullopt, warnings(lbm_case, derived)};
  if (lbm_case.initial.flow == InitialFlow::arrays) {
    check.warnings.push_back(
        where(lbm_case, "initial.flow") +
        ": found arrays, which only Python gives: lbm run takes this case with "
        "--restart only");
  }
  if (!lbm_case.pictures.empty() && python_for_pictures(lbm_case).empty()) {
    check.warnings.push_back(where(lbm_case, "pictures") + ": " + no_python_for_pictures());
  }
  std::unique_ptr<Backend> backend;
  try {
    backend = make_backend(lbm_case);
  } catch (const UsageError& error) {
    check.warnings.push_back(fmt::format("memory was not checked: {}", error.what()));
    return check;
  }
  const auto request = make_schedule_request(lbm_case, derived, *backend, false);
  const RepresentationChoice choice = choose_representation(lbm_case);
  Case chosen = lbm_case;
  chosen.lattice.representation = choice.representation;
  check.setup = make_setup(chosen, derived, *backend, request, {}, 0, limit);
  check.setup->representation_reason = choice.reason;
  const auto& more = check.setup->warnings;
  check.warnings.insert(check.warnings.end(), more.begin(), more.end());
  if (!check.setup->complete) {
    check.warnings.emplace_back(
        "bodies, profiles of faces and forces by place were not checked cell by cell, which takes "
        "more than a second or 32 MiB; the memory above is without theirs: lbm check --full looks "
        "at them");
  }
  return check;
}

namespace {

// "moments", or "auto" where the device is not here.
std::string stored(const CaseCheck& check) {
  if (check.setup) return to_string(check.setup->lattice.representation);
  const auto& stated = check.lbm_case.lattice.representation;
  return stated ? to_string(*stated) : "auto";
}

// Next to its limit, or beyond.
const CellReynolds& hardest(const std::vector<CellReynolds>& numbers) {
  return *std::max_element(numbers.begin(), numbers.end(), [](const auto& a, const auto& b) {
    return a.number / a.stable < b.number / b.stable;
  });
}

// One line, or none.
std::string sponge_text(const Case& lbm_case, const Units& units) {
  const SpongeKeys& sponge = lbm_case.sponge;
  if (sponge.faces.empty()) return "";
  std::string faces;
  for (const int face : sponge.faces) {
    faces += (faces.empty() ? "" : ", ") + face_names()[static_cast<std::size_t>(face)];
  }
  const double cells = to_cells(units, *sponge.thickness);
  return fmt::format(
      "  sponge            before {}: {:.6g} cells, {:.2g} % of normal sound comes back\n", faces,
      cells, 100 * std::exp(-2 * sponge.strength.value_or(SpongeKeys::default_strength)));
}

}  // namespace

std::string check_text(const CaseCheck& check) {
  const auto& [lbm_case, d, field_files, setup, notes] = check;
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  std::string text =
      fmt::format("{}: valid\n", lbm_case.file.empty() ? lbm_case.name : one_line(lbm_case.file));
  text += fmt::format("  name              {}\n", lbm_case.name);
  text += fmt::format("  grid              {} x {} x {} = {} cells, {}\n", nx, ny, nz,
                      cell_count(lbm_case.grid.cells), to_string(lbm_case.lattice.storage));
  text += fmt::format("  Reynolds number   {}\n", reynolds_text(lbm_case, d));
  text += fmt::format("  Mach number       {:.4g}\n", d.mach);
  text += fmt::format("  viscosity         {:.6g} cells^2/step\n", d.viscosity);
  text += fmt::format("  tau, omega        {:.6g}, {:.6g}\n", d.tau, d.omega);
  if (const auto numbers = cell_reynolds_numbers(lbm_case, d); !numbers.empty()) {
    const CellReynolds& most = hardest(numbers);
    text += fmt::format("  cell Reynolds     {:.3g} at {}; stable up to {:.3g} {}\n", most.number,
                        most.key, most.stable, most.where);
  }
  if (const auto share = blockage(lbm_case, d)) {
    text += fmt::format("  blockage          {}\n", blockage_text(*share));
  }
  text += fmt::format("  convective time   {:.6g} steps\n", d.convective_time);
  text +=
      fmt::format("  run               {} steps = {:.6g} convective times\n", d.steps, d.duration);
  text += fmt::format("  field files       {}\n", field_files);
  const std::string why = setup ? setup->representation_reason : "";
  text += fmt::format("  representation    {}{}\n", stored(check), why.empty() ? "" : ": " + why);
  if (setup && setup->stored == CellsStored::fluid) {
    text += fmt::format("  stored cells      fluid, {:.4g} % of the box\n",
                        100 * setup->lattice.stored_share);
  }
  if (setup) {
    text += fmt::format("  scheme            {}: {}\n",
                        tiling::to_string(setup->plan.options.scheme), setup->plan.reason);
    text += fmt::format("  memory            {} on the device, {} on the host\n",
                        human_bytes(setup->plan.device_bytes), human_bytes(setup->plan.host_bytes));
  }
  const Units units = make_units(lbm_case, d);
  text += sponge_text(lbm_case, units);
  for (const VoxelFacts& f : setup ? setup->voxels : std::vector<VoxelFacts>()) {
    text += fmt::format("  voxels {:<10} {}\n", f.body, f.text());
  }
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid) continue;
    text += fmt::format("  body {:<12} coefficients: {}\n", body.name,
                        reference_text(body_reference(body, units, d), units, lbm_case.units));
  }
  text += units_text(lbm_case, d);
  for (const std::string& note : notes) text += fmt::format("warning: {}\n", note);
  return text;
}

io::Json check_json(const CaseCheck& check) {
  const auto& [lbm_case, d, field_files, setup, notes] = check;
  io::Json json = {{"file", lbm_case.file},
                   {"name", lbm_case.name},
                   {"cells", lbm_case.grid.cells},
                   {"cell_count", cell_count(lbm_case.grid.cells)},
                   {"storage", to_string(lbm_case.lattice.storage)},
                   {"representation", stored(check)},
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
                   {"field_outputs", field_files}};
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
    json["scheme"] = tiling::to_string(setup->plan.options.scheme);
    json["steps_per_visit"] = setup->plan.options.steps_per_visit;
    json["steps_per_pass"] = setup->plan.options.updates_together;
    json["planes_per_visit"] = setup->plan.options.planes_per_visit;
    json["device_bytes"] = setup->plan.device_bytes;
    json["host_bytes"] = setup->plan.host_bytes;
  }
  if (setup) json["surfaces"] = surfaces_json(setup->surfaces);
  if (setup) json["voxels"] = voxels_json(setup->voxels);
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
  return json;
}

}  // namespace lbm::cases
