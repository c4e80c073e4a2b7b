// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/case/case_location.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/units.hpp"
#include "cases/case/units_table.hpp"
#include "cases/case/validate/validate.hpp"
#include "cases/formula/formula.hpp"
#include "cases/run/pictures/python.hpp"
#include "cases/run/predict/predict.hpp"
#include "cases/run/results/result_sizes.hpp"
#include "cases/run/setup/setup.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

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

// "moments", or "auto" where the device is not here.
std::string stored(const Case& lbm_case, const std::optional<Setup>& setup) {
  if (setup) return to_string(setup->lattice.representation);
  const auto& stated = lbm_case.lattice.representation;
  return stated ? to_string(*stated) : "auto";
}

// Values of the page besides the JSON.
io::Json words_of(const Case& lbm_case, const Derived& d, const std::optional<Setup>& setup) {
  io::Json words = {{"title", lbm_case.file.empty() ? lbm_case.name : one_line(lbm_case.file)},
                    {"reynolds_text", reynolds_text(lbm_case, d)},
                    {"representation_reason", ""},
                    {"fluid_only", setup && setup->stored == CellsStored::fluid}};
  const auto numbers = cell_reynolds_numbers(lbm_case, d);
  const auto hardest = std::max_element(  // next to its limit, or beyond
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

Answer check_case(const Case& lbm_case, const TimeLimit& limit) {
  const Derived d = validate(lbm_case);
  std::vector<std::string> notes = warnings_of(lbm_case, d);
  const std::optional<Setup> setup = set_up(lbm_case, d, limit, notes);
  io::Json json = {{"file", lbm_case.file},
                   {"name", lbm_case.name},
                   {"cells", lbm_case.grid.cells},
                   {"cell_count", cell_count(lbm_case.grid.cells)},
                   {"storage", to_string(lbm_case.lattice.storage)},
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
    add_schedule(setup->plan, {}, json);
    json["surfaces"] = surfaces_json(setup->surfaces);
    json["voxels"] = voxels_json(setup->voxels);
  }
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
