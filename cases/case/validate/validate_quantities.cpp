// SPDX-License-Identifier: Apache-2.0

// Named quantities and expectations: names of bodies, patches, scalars and quantities, places,
// times and reference profiles.
#include <algorithm>
#include <map>
#include <set>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/case_scalars.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/units.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

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
  using enum QuantityKind;
  const bool of_power = *quantity.kind == power || *quantity.kind == power_coefficient;
  const bool of_centre = *quantity.kind == body_position || *quantity.kind == body_velocity;
  for (const std::string& name : quantity.bodies) {
    if (!(of_centre || of_power) || bodies.find(name)->moves()) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, must be a body with motion or free", one_line(name, 64)));
  }
  if (quantity.bodies.size() < 2) return;
  if (*quantity.kind == torque || *quantity.kind == torque_coefficient || of_centre) {
    refuse(lbm_case, key,
           "found several bodies, must be one: torques and motions refer to the centre of a body");
  }
}

void check_phase(const Case& lbm_case, const BodyIndex& bodies, const NamedQuantity& quantity) {
  if (quantity.phase.empty()) return;
  const std::string key = key_of(quantity, "phase");
  check_body_name(lbm_case, bodies, key, quantity.phase);
  const MotionKeys& motion = bodies.find(quantity.phase)->motion;
  if (!motion.rate && motion.angle.empty()) {
    refuse(lbm_case, key,
           fmt::format("found {}, must be a body with motion.rate or motion.angle",
                       one_line(quantity.phase, 64)));
  }
  if (!is_of_region(*quantity.kind) || quantity.every_steps) return;
  refuse(lbm_case, key, "missing: every_steps, the steps between samples");
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
  if (quantity.kind != QuantityKind::coefficient &&
      quantity.kind != QuantityKind::power_coefficient) {
    return;
  }
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

// True where fluid may pass the face, or a patch of it.
bool fluid_passes(const Face& face) {
  const auto is_open = [](BoundaryKind kind) {
    return kind != BoundaryKind::wall && kind != BoundaryKind::slip;
  };
  return is_open(face.type) || std::any_of(face.patches.begin(), face.patches.end(),
                                           [&](const Patch& patch) { return is_open(patch.type); });
}

void check_nusselt_of_face(const Case& lbm_case, const NamedQuantity& quantity,
                           const ScalarKeys& scalar, std::size_t axis) {
  const auto face = static_cast<std::size_t>(*quantity.face);
  if (face / 2 != axis) {
    refuse(lbm_case, key_of(quantity, "face"),
           fmt::format("found {}, must be one of the two faces across {} that hold scalars.{}",
                       face_names()[face], "xyz"[axis], scalar.name));
  }
  if (fluid_passes(lbm_case.faces[face])) {
    refuse(lbm_case, key_of(quantity, "face"),
           fmt::format("found {}, which the fluid passes ({}): must be a wall", face_names()[face],
                       face_key(face)));
  }
  if (scalar.conductors.empty()) return;
  refuse(lbm_case, key_of(quantity, "face"),
         fmt::format("conflicts with scalars.{}.conductors: the flux from a face into a body is "
                     "not summed",
                     scalar.name));
}

const ScalarKeys& scalar_needed_by(const Case& lbm_case, const NamedQuantity& quantity) {
  if (const auto scalar = scalar_named(lbm_case, quantity.scalar)) return lbm_case.scalars[*scalar];
  const std::string found = quantity.scalar.empty()
                                ? "missing: "
                                : fmt::format("found {}, must be ", one_line(quantity.scalar, 64));
  refuse(lbm_case, key_of(quantity, "scalar"), found + "the name of a scalar of this case");
}

void check_no_solids(const Case& lbm_case, const NamedQuantity& quantity, const char* what) {
  const auto is_solid = [](const Body& body) { return body.solid; };
  if (std::none_of(lbm_case.bodies.begin(), lbm_case.bodies.end(), is_solid)) return;
  refuse(lbm_case, key_of(quantity, "kind"),
         fmt::format("conflicts with bodies: {} is that of a box without solid bodies", what));
}

void check_scalar_dissipation(const Case& lbm_case, const NamedQuantity& quantity) {
  if (*quantity.kind != QuantityKind::mean || quantity.scalar.empty()) return;
  if (quantity.field != QuantityField::dissipation) {
    refuse(lbm_case, key_of(quantity, "scalar"),
           "requires field: dissipation; the mean of a scalar has its name as field");
  }
  const ScalarKeys& scalar = scalar_needed_by(lbm_case, quantity);
  check_no_solids(lbm_case, quantity, "the dissipation of a scalar");
  for (std::size_t f = 0; f < scalar.faces.size(); ++f) {
    const auto parts = parts_of_face(scalar, lbm_case, f);
    if (parts.size() == 1 && parts[0].formula.empty()) continue;
    refuse(lbm_case, key_of(quantity, "scalar"),
           fmt::format("conflicts with scalars.{}.boundaries.{}: the dissipation of a scalar needs "
                       "faces without patches, whose values are numbers",
                       scalar.name, face_names()[f]));
  }
}

void check_heat_flow(const Case& lbm_case, const NamedQuantity& quantity) {
  if (*quantity.kind != QuantityKind::heat_flow) return;
  const ScalarKeys& scalar = scalar_needed_by(lbm_case, quantity);
  for (const std::string& name : quantity.bodies) {
    const auto has = [&](const auto& all) {
      return std::find(all.begin(), all.end(), name) != all.end();
    };
    if (has(scalar.bodies) || has(scalar.conductors)) continue;
    refuse(lbm_case, key_of(quantity, "bodies"),
           fmt::format("found {}, must be in scalars.{}.bodies or conductors: others give nothing",
                       one_line(name, 64), scalar.name));
  }
}

void check_nusselt(const Case& lbm_case, const NamedQuantity& quantity) {
  if (*quantity.kind != QuantityKind::nusselt) return;
  const ScalarKeys& named = scalar_needed_by(lbm_case, quantity);
  if (!axis_between_values(named)) {
    refuse(lbm_case, key_of(quantity, "kind"),
           fmt::format("conflicts with scalars.{}.boundaries: a Nusselt number needs one pair of "
                       "opposite faces with type: value whose values differ",
                       named.name));
  }
  const std::size_t axis = *axis_between_values(named);
  for (const std::size_t f : {2 * axis, 2 * axis + 1}) {
    if (named.faces[f].patches.empty()) continue;
    refuse(lbm_case, key_of(quantity, "kind"),
           fmt::format("conflicts with scalars.{}.boundaries.{}.patches: a Nusselt number needs "
                       "faces without patches",
                       named.name, face_names()[f]));
  }
  if (quantity.face) return check_nusselt_of_face(lbm_case, quantity, named, axis);
  // Else the flux is not the same through all planes across the axis.
  for (std::size_t f = 0; f < 6; ++f) {
    const auto parts = parts_of_face(named, lbm_case, f);
    const auto is_open = [](const ScalarPart& part) {
      return part.kind != ScalarBoundary::no_flux && part.kind != ScalarBoundary::periodic;
    };
    const bool passes = f / 2 == axis ? fluid_passes(lbm_case.faces[f])
                                      : std::any_of(parts.begin(), parts.end(), is_open);
    if (!passes) continue;
    refuse(lbm_case, key_of(quantity, "kind"),
           fmt::format("conflicts with {}: a Nusselt number needs two walls of given values, and "
                       "nothing may pass the other faces",
                       f / 2 == axis ? face_key(f)
                                     : "scalars." + named.name + ".boundaries." + face_names()[f]));
  }
  if (named.source != 0) {
    refuse(lbm_case, key_of(quantity, "kind"),
           fmt::format("conflicts with scalars.{}.source: a Nusselt number is that of a scalar "
                       "without source",
                       named.name));
  }
  check_no_solids(lbm_case, quantity, "a Nusselt number");
}

}  // namespace

void check_quantities(const Case& lbm_case) {
  const BodyIndex bodies(lbm_case);
  if (lbm_case.quantities.size() > most_quantities) {
    missing(lbm_case, fmt::format("found {} quantities, must be at most {}: write probes instead",
                                  lbm_case.quantities.size(), most_quantities));
  }
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    check_patch(lbm_case, quantity);
    check_bodies_of(lbm_case, bodies, quantity);
    check_phase(lbm_case, bodies, quantity);
    check_scalar_dissipation(lbm_case, quantity);
    check_heat_flow(lbm_case, quantity);
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

}  // namespace lbm::cases::validation
