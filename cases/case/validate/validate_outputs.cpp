// SPDX-License-Identifier: Apache-2.0

// Named outputs and pictures: names of files, times, places in the box. Named quantities and
// expectations: names of bodies, patches and quantities, places, times and reference profiles.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"
#include "io/vtk/surface_writer.hpp"

namespace lbm::cases::validation {
namespace {

// More probe records would take as much memory as a lattice.
constexpr std::size_t most_places = 20000;

void check_output(const Case& lbm_case, const FieldOutput& output) {
  const std::string path = "outputs." + output.name;
  const bool solid = std::find(output.fields.begin(), output.fields.end(), FieldKind::solid) !=
                     output.fields.end();
  if (output.average > 1 && solid) {
    refuse(lbm_case, path + ".fields",
           "solid conflicts with average: means leave solid cells out; remove one");
  }
  if (output.isosurface && !io::writes_vtk()) {
    refuse(lbm_case, path + ".isosurface",
           "requires VTK, but this program was built without it: leave it out, or install "
           "libvtk9-dev and build again");
  }
}

// tolerance: relative; at: in cells.
void check_place(const Case& lbm_case, const std::string& key, const Vec3& at, double tolerance) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double most = lbm_case.grid.cells[axis];
    if (at[axis] >= -tolerance * most && at[axis] <= most * (1 + tolerance)) continue;
    refuse(lbm_case, key,
           fmt::format("found {:.6g} cells along {}, must lie in the box, from 0 to {}", at[axis],
                       "xyz"[axis], most));
  }
}

void check_before_end(const Case& lbm_case, const std::string& key, double time,
                      const Derived& derived, const Units& units) {
  const double steps = static_cast<double>(derived.steps);
  if (to_steps(units, time) < steps) return;
  refuse(
      lbm_case, key,
      fmt::format("found {}, must be before the end of the run, {:.6g}", time, steps * units.time));
}

// Times of an output may be the end of the run.
void check_times(const Case& lbm_case, const std::string& key, const std::vector<double>& times,
                 const Derived& derived) {
  for (const double time : times) {
    if (step_at(time, derived.steps_per_time) <= derived.steps) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, must be at most {:.6g}, the end of the run", time,
                       static_cast<double>(derived.steps) / derived.steps_per_time));
  }
}

// path: of the item of the region, "outputs.cut".
void check_region(const Case& lbm_case, const std::string& path, const Region& region,
                  const Units& units) {
  if (region.box_from) {
    const Vec3 from = to_cells(units, *region.box_from), to = to_cells(units, *region.box_to);
    check_place(lbm_case, path + ".box_from", from, rounding);
    check_place(lbm_case, path + ".box_to", to, rounding);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!(from[axis] < to[axis])) {
        refuse(lbm_case, path + ".box_to",
               fmt::format("found {:.6g} cells along {}, must be above box_from, {:.6g}", to[axis],
                           "xyz"[axis], from[axis]));
      }
      // As region_box() has them: with its tolerance.
      if (std::ceil(from[axis] - 1e-6 - 0.5) + 0.5 <= to[axis] + 1e-6) continue;
      if (region.slice == static_cast<int>(axis)) continue;
      refuse(
          lbm_case, path + ".box_to",
          fmt::format("found {:.6g} to {:.6g} cells along {}, must hold the centre of a cell, such "
                      "as {}: move or enlarge the region",
                      from[axis], to[axis], "xyz"[axis], std::floor(from[axis]) + 0.5));
    }
  }
  if (region.at) {
    Vec3 at{};
    at[static_cast<std::size_t>(*region.slice)] = to_cells(units, *region.at);
    check_place(lbm_case, path + ".at", at, rounding);
  }
}

// Times and place of a field output or picture.
void check_placed(const Case& lbm_case, const std::string& path, const auto& output,
                  const Derived& derived, const Units& units) {
  check_region(lbm_case, path, output.region, units);
  check_times(lbm_case, path + ".times", output.times, derived);
  const double step = 1 / derived.steps_per_time;
  if (!output.every_time || *output.every_time >= (1 - rounding) * step) return;
  refuse(lbm_case, path + ".every_time",
         fmt::format("found {}, must be a step, {:.6g}, or more: take every_steps: 1 for each step",
                     *output.every_time, step));
}

// Refuses an isosurface in less than two layers of points.
void check_layers(const Case& lbm_case, const std::string& key, int least) {
  if (least >= 2) return;
  refuse(lbm_case, key, "found a region of one layer of points, must have two along each axis");
}

// Each has a file and up to 4096 batches in memory, and is looked for by name.
constexpr std::size_t most_quantities = 1000;

std::string key_of(const NamedQuantity& quantity, const char* key) {
  return "quantities." + quantity.name + "." + key;
}

std::string key_of(const Expectation& expected, const char* key) {
  return "expect." + expected.name + "." + key;
}

void check_body_name(const Case& lbm_case, const BodyIndex& bodies, const std::string& key,
                     const std::string& name) {
  const Body* body = bodies.find(name);
  if (body && body->solid) return;
  refuse(lbm_case, key,
         fmt::format("found {}, must be a solid body of this case{}", one_line(name, 64),
                     body ? ": it has solid: false" : ""));
}

void check_patch(const Case& lbm_case, const NamedQuantity& quantity) {
  if (quantity.patch.empty()) return;
  const auto face = static_cast<std::size_t>(*quantity.face);
  const auto& patches = lbm_case.faces[face].patches;
  if (std::any_of(patches.begin(), patches.end(),
                  [&](const Patch& p) { return p.name == quantity.patch; })) {
    return;
  }
  refuse(
      lbm_case, key_of(quantity, "patch"),
      fmt::format("found {}, must be a patch of {}", one_line(quantity.patch, 64), face_key(face)));
}

void check_bodies_of(const Case& lbm_case, const BodyIndex& bodies, const NamedQuantity& quantity) {
  const std::string key = key_of(quantity, "bodies");
  std::set<std::string> seen;
  for (const std::string& name : quantity.bodies) {
    check_body_name(lbm_case, bodies, key, name);
    if (seen.insert(name).second) continue;
    refuse(lbm_case, key, fmt::format("found {} twice, must be there once", one_line(name, 64)));
  }
  if (*quantity.kind != QuantityKind::torque || quantity.bodies.size() < 2) return;
  refuse(lbm_case, key,
         "found several bodies, must be one: torques refer to the centre of each body");
}

const NamedQuantity& quantity_named(const Case& lbm_case, const std::string& key,
                                    const std::string& name) {
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    if (quantity.name == name) return quantity;
  }
  refuse(lbm_case, key,
         fmt::format("found {}, must be a name under quantities", one_line(name, 64)));
}

void check_expected_quantity(const Case& lbm_case, const Expectation& expected) {
  const std::string key = key_of(expected, "of"), name = one_line(expected.of, 64);
  const NamedQuantity& quantity = quantity_named(lbm_case, key, expected.of);
  if (expected.measure->quantity == Quantity::value) return;
  if (is_count(*quantity.kind)) {
    refuse(lbm_case, key,
           fmt::format("found {}, which is the same at all times: take quantity: value", name));
  }
  if (!is_of_region(*quantity.kind) || quantity.every_steps) return;
  refuse(lbm_case, key,
         fmt::format("found {}, which is sampled only at the end: give quantities.{}.every_steps",
                     name, expected.of));
}

// Coefficients add up only if they are multiples of the same force.
void check_references(const Case& lbm_case, const BodyIndex& bodies, const NamedQuantity& quantity,
                      const Derived& derived, const Units& units) {
  if (quantity.kind != QuantityKind::coefficient) return;
  const auto force = [&](const std::string& name) {
    const BodyReference r = body_reference(*bodies.find(name), units, derived);
    return r.area * r.velocity * r.velocity;
  };
  for (const std::string& name : quantity.bodies) {
    if (force(name) == force(quantity.bodies.front())) continue;
    refuse(lbm_case, key_of(quantity, "bodies"),
           fmt::format("found {} and {} with different references, must be the same: give both the "
                       "same reference_area and reference_velocity",
                       quantity.bodies.front(), name));
  }
}

void check_drive(const Case& lbm_case, const NamedQuantity& quantity, const Derived& derived,
                 const Units& units) {
  if (!is_of_driven_flow(*quantity.kind)) return;
  const Force& force = lbm_case.force;
  const bool varies = force.acceleration_formulas || force.amplitude;
  const QuantityRegion region(lbm_case, derived, quantity);
  if (!varies && pressure_gradient(lbm_case, units, region.box()) != Vec3{}) return;
  refuse(lbm_case, key_of(quantity, "kind"),
         fmt::format(
             "conflicts with force and boundaries: a {} needs a constant force.acceleration, a "
             "pressure_drop, or pressure faces at both ends of an axis that differ in pressure, "
             "and no force by formulas or with an amplitude beside them",
             to_string(*quantity.kind)));
}

void check_column(const Case& lbm_case, const Expectation& expected) {
  std::vector<std::string> columns{"ux", "uy", "uz", "density"};
  for (const ScalarKeys& scalar : lbm_case.scalars) columns.push_back(scalar.name);
  const auto found = std::find(columns.begin(), columns.end(), expected.column);
  if (expected.column.empty() || found != columns.end()) return;
  refuse(lbm_case, key_of(expected, "column"),
         fmt::format("found {}, must be one of {}", one_line(expected.column, 64),
                     fmt::join(columns, ", ")));
}

using References = std::map<std::string, ReferenceProfile>;  // by file, each read once

// Reference coordinates must lie in the box.
void check_reference(const Case& lbm_case, const Expectation& expected, const Derived& derived,
                     References& references) {
  if (expected.file.empty()) return;
  check_file(lbm_case, key_of(expected, "file"), expected.file);
  const std::string path = path_of(lbm_case, expected.file);
  const ReferenceProfile& reference = references.try_emplace(path, path).first->second;
  const auto axis = static_cast<std::size_t>(*expected.profile);
  const double most = lbm_case.grid.cells[axis] / derived.length;
  for (const double at : {reference.first_position(), reference.last_position()}) {
    if (at >= 0 && at <= most * (1 + rounding)) continue;
    refuse(lbm_case, key_of(expected, "file"),
           fmt::format("found a value at {:.6g} reference lengths along {}, must lie in the box, "
                       "from 0 to {:.6g}",
                       at, "xyz"[axis], most));
  }
}

void check_nusselt(const Case& lbm_case, const NamedQuantity& quantity) {
  if (*quantity.kind != QuantityKind::nusselt) return;
  const auto scalar = scalar_named(lbm_case, quantity.scalar);
  if (!scalar) {
    const std::string found =
        quantity.scalar.empty() ? "missing: "
                                : fmt::format("found {}, must be ", one_line(quantity.scalar, 64));
    refuse(lbm_case, key_of(quantity, "scalar"), found + "the name of a scalar of this case");
  }
  const ScalarKeys& named = lbm_case.scalars[*scalar];
  if (!axis_between_values(named)) {
    refuse(lbm_case, key_of(quantity, "kind"),
           fmt::format("conflicts with scalars.{}.boundaries: a Nusselt number needs one pair of "
                       "opposite faces with type: value whose values differ",
                       named.name));
  }
  const auto is_solid = [](const Body& body) { return body.solid; };
  if (std::none_of(lbm_case.bodies.begin(), lbm_case.bodies.end(), is_solid)) return;
  refuse(lbm_case, key_of(quantity, "kind"),
         "conflicts with bodies: a Nusselt number is that of a box without solid bodies");
}

void check_quantities(const Case& lbm_case) {
  const BodyIndex bodies(lbm_case);
  if (lbm_case.quantities.size() > most_quantities) {
    missing(lbm_case, fmt::format("found {} quantities, must be at most {}: write probes instead",
                                  lbm_case.quantities.size(), most_quantities));
  }
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    check_patch(lbm_case, quantity);
    check_bodies_of(lbm_case, bodies, quantity);
    check_nusselt(lbm_case, quantity);
    if (is_of_region(*quantity.kind) && quantity.start > 0 && !quantity.every_steps) {
      refuse(lbm_case, key_of(quantity, "start"),
             "missing: every_steps, the steps between samples");
    }
  }
  const char* const steady = "run.until_steady.quantities";
  for (const std::string& name : lbm_case.run.until_steady.quantities) {
    if (!is_count(*quantity_named(lbm_case, steady, name).kind)) continue;
    refuse(lbm_case, steady,
           fmt::format("found {}, which is the same at all times: remove it", one_line(name, 64)));
  }
}

void check_quantity_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  const BodyIndex bodies(lbm_case);
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    check_region(lbm_case, "quantities." + quantity.name, quantity.region, units);
    check_drive(lbm_case, quantity, derived, units);
    if (quantity.point) {
      check_place(lbm_case, key_of(quantity, "point"), to_cells(units, *quantity.point), rounding);
    }
    if (quantity.pressure_gradient && acceleration_depends_on_place(lbm_case)) {
      refuse(lbm_case, key_of(quantity, "pressure_gradient"),
             "conflicts with force.acceleration, which depends on the place and stands for no "
             "pressure gradient: remove this key");
    }
    check_before_end(lbm_case, key_of(quantity, "start"), quantity.start, derived, units);
    check_references(lbm_case, bodies, quantity, derived, units);
  }
}

void check_expectations(const Case& lbm_case) {
  const BodyIndex bodies(lbm_case);
  for (const Expectation& expected : lbm_case.expect) {
    if (!expected.body.empty()) {
      check_body_name(lbm_case, bodies, key_of(expected, "body"), expected.body);
    }
    if (!expected.of.empty()) check_expected_quantity(lbm_case, expected);
    check_column(lbm_case, expected);
    if (expected.tolerance && expected.value == 0.0) {
      refuse(lbm_case, key_of(expected, "tolerance"),
             "conflicts with value: 0, to which nothing is relative: give tolerance_absolute "
             "instead");
    }
    // Means are of forces, which are known at every step, and of monitor samples.
    if (expected.average_from && expected.body.empty() && !lbm_case.output.monitor) {
      refuse(lbm_case, key_of(expected, "average_from"),
             "missing: output.monitor, whose samples this mean requires");
    }
  }
}

void check_expected_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  References references;
  for (const Expectation& expected : lbm_case.expect) {
    check_reference(lbm_case, expected, derived, references);
    if (expected.point) {
      check_place(lbm_case, key_of(expected, "point"), to_cells(units, *expected.point), 0);
    }
    if (expected.average_from) {
      check_before_end(lbm_case, key_of(expected, "average_from"), *expected.average_from, derived,
                       units);
    }
  }
}

// Names of scalars stand beside the words and columns of results.
void check_scalar_names(const Case& lbm_case) {
  std::set<std::string> taken{"p", "ux", "uy", "uz", "x", "y", "z", "step", "time"};
  const auto take = [&](const auto& words) { taken.insert(words.begin(), words.end()); };
  take(enum_names(FieldKind{}));
  take(enum_names(QuantityField{}));
  take(enum_names(PictureQuantity{}));
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    if (!taken.contains(scalar.name)) continue;
    refuse(lbm_case, "scalars." + scalar.name,
           fmt::format("found the name \"{}\", must be another than that of a result of the flow",
                       scalar.name));
  }
}

}  // namespace

void check_results(const Case& lbm_case) {
  check_scalar_names(lbm_case);
  std::set<std::string> names;  // of files
  if (lbm_case.output.at_end || lbm_case.output.every_steps || !lbm_case.output.times.empty()) {
    names.insert("fields");  // those of `output`
  }
  const auto check_name = [&](const char* group, const std::string& name) {
    if (names.insert(name).second) return;
    refuse(
        lbm_case, group + name,
        fmt::format("found the name \"{}\", must be another than that of any other output", name));
  };
  for (const FieldOutput& output : lbm_case.outputs) {
    check_name("outputs.", output.name);
    check_output(lbm_case, output);
  }
  for (const Statistics& statistics : lbm_case.statistics) {
    check_name("statistics.", statistics.name);
    const auto& every = statistics.write_every_steps;
    if (!every || *every % *statistics.every_steps == 0) continue;
    refuse(lbm_case, "statistics." + statistics.name + ".write_every_steps",
           fmt::format("found {}, must be a multiple of every_steps ({})", *every,
                       *statistics.every_steps));
  }
  check_expectations(lbm_case);
  check_quantities(lbm_case);
}

void check_result_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  check_times(lbm_case, "output.times", lbm_case.output.times, derived);
  for (const FieldOutput& output : lbm_case.outputs) {
    const std::string path = "outputs." + output.name;
    check_placed(lbm_case, path, output, derived, units);
    const auto box = region_box(lbm_case, derived, output.region);
    const int least = *std::min_element(box.count.begin(), box.count.end());
    if (output.isosurface) check_layers(lbm_case, path + ".isosurface", least / output.average);
    if (output.average > least) {
      refuse(lbm_case, path + ".average",
             fmt::format("found {}, must be at most {}, the cells of the region", output.average,
                         least));
    }
  }
  for (const Picture& picture : lbm_case.pictures) {
    const std::string path = "pictures." + picture.name;
    check_placed(lbm_case, path, picture, derived, units);
    const auto box = region_box(lbm_case, derived, picture.region);
    if (!picture.surface) continue;
    check_layers(lbm_case, path + ".surface",
                 *std::min_element(box.count.begin(), box.count.end()));
  }
  for (const Statistics& statistics : lbm_case.statistics) {
    check_region(lbm_case, "statistics." + statistics.name, statistics.region, units);
    check_before_end(lbm_case, "statistics." + statistics.name + ".start", statistics.start,
                     derived, units);
  }
  std::size_t places = 0;
  for (const Probe& probe : lbm_case.probes) {
    const std::string key = "probes." + probe.name + (probe.line_from ? ".line_points" : ".points");
    const auto all = places_of(probe, units);
    for (const Vec3& place : all) check_place(lbm_case, key, place, rounding);
    places += all.size();
    if (places <= most_places) continue;
    refuse(lbm_case, key,
           fmt::format("found {} places of probes in all, must be at most {}: write an output with "
                       "a slice instead",
                       places, most_places));
  }
  check_quantity_values(lbm_case, derived, units);
  check_expected_values(lbm_case, derived, units);
}

}  // namespace lbm::cases::validation
