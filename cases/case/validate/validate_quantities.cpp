// SPDX-License-Identifier: Apache-2.0

// Named quantities: keys of each kind, names of bodies and patches, places, and the names by which
// until_steady and expectations refer to them.
#include <algorithm>
#include <set>

#include "cases/case/bodies/body_bounds.hpp"
#include "cases/case/derived.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/regions.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

// Each has a file and up to 4096 batches in memory, and is looked for by name.
constexpr std::size_t most_quantities = 1000;

enum class Need { no, yes, may };

// Need of a quantity of this kind for the key. no: the key is not allowed; may: it is optional.
Need need_of(QuantityKind kind, const std::string& key) {
  if (key == "field") {
    const bool of_field = kind == QuantityKind::mean || kind == QuantityKind::point;
    return of_field ? Need::yes : Need::no;
  }
  if (key == "point") return is_at_point(kind) ? Need::yes : Need::no;
  if (key == "bodies" || key == "direction") return is_of_bodies(kind) ? Need::yes : Need::no;
  if (key == "length") return kind == QuantityKind::force ? Need::may : Need::no;
  if (key == "pressure_gradient") {
    const bool of_force = kind == QuantityKind::force || kind == QuantityKind::coefficient;
    return of_force ? Need::may : Need::no;
  }
  if (key == "every_steps" || key == "start") return is_count(kind) ? Need::no : Need::may;
  return is_count(kind) || is_of_region(kind) ? Need::may : Need::no;  // keys of regions
}

class Checker {
 public:
  Checker(const Case& lbm_case, const BodyIndex& bodies, std::size_t position)
      : case_(lbm_case),
        bodies_(bodies),
        position_(position),
        quantity_(lbm_case.quantities[position]),
        path_("quantities." + quantity_.name) {}

  void check() const {
    if (!quantity_.kind) refuse(case_, path_ + ".kind", "missing: what kind of quantity this is");
    check_keys();
    check_face();
    check_bodies();
    check_gradient();
    if (is_at_point(*quantity_.kind) && quantity_.field && needs_gradient(*quantity_.field)) {
      refuse(case_, path_ + ".field",
             fmt::format("found {}, must be a field without gradients for a point: take kind: mean",
                         enum_names(*quantity_.field)[static_cast<std::size_t>(*quantity_.field)]));
    }
    if (*quantity_.kind == QuantityKind::flow_rate && !quantity_.face && !quantity_.region.slice) {
      refuse(case_, path_ + ".slice", "missing: slice or face, through which the fluid flows");
    }
    if (is_of_region(*quantity_.kind) && quantity_.start > 0 && !quantity_.every_steps) {
      refuse(case_, path_ + ".start", "missing: every_steps, the steps between samples");
    }
  }

 private:
  bool is_given(const char* key) const {
    static const Case defaults = [] {
      Case one;
      one.quantities.emplace_back();
      return one;
    }();
    const Key* found = find_key("quantities.NAME." + std::string(key));
    return found->write(case_, position_) != found->write(defaults, 0);
  }

  void check_keys() const {
    for (const char* key :
         {"box_from", "box_to", "slice", "at", "face", "patch", "field", "point", "bodies",
          "direction", "length", "pressure_gradient", "every_steps", "start"}) {
      const Need need = need_of(*quantity_.kind, key);
      const bool given = is_given(key);
      if (need == Need::may || given == (need == Need::yes)) continue;
      const std::string kind =
          enum_names(*quantity_.kind)[static_cast<std::size_t>(*quantity_.kind)];
      refuse(case_, path_ + "." + key,
             given ? "conflicts with kind: " + kind + ", which does not have it: remove it"
                   : "missing: kind: " + kind + " requires it");
    }
  }

  void check_face() const {
    const Region& region = quantity_.region;
    if (quantity_.face && (region.box_from || region.slice)) {
      refuse(case_, path_ + ".face",
             fmt::format("conflicts with {}: remove one", region.slice ? "slice" : "box_from"));
    }
    if (quantity_.patch.empty()) return;
    if (!quantity_.face) refuse(case_, path_ + ".patch", "missing: face, which has this patch");
    const auto face = static_cast<std::size_t>(*quantity_.face);
    const auto& patches = case_.faces[face].patches;
    const bool found = std::any_of(patches.begin(), patches.end(),
                                   [&](const Patch& p) { return p.name == quantity_.patch; });
    if (found) return;
    refuse(case_, path_ + ".patch",
           fmt::format("found {}, must be a patch of {}", one_line(quantity_.patch, 64),
                       face_key(face)));
  }

  void check_gradient() const {
    const Force& force = case_.force;
    if (!quantity_.pressure_gradient) return;
    if (force.acceleration || force.acceleration_formulas || force.amplitude) return;
    refuse(case_, path_ + ".pressure_gradient",
           "missing: force.acceleration, which stands for this gradient: remove this key or add "
           "that one");
  }

  void check_bodies() const {
    std::set<std::string> seen;
    for (const std::string& name : quantity_.bodies) {
      const Body* body = bodies_.find(name);
      if (!body || !body->solid) {
        refuse(case_, path_ + ".bodies",
               fmt::format("found {}, must be a solid body of this case{}", one_line(name, 64),
                           body ? ": it has solid: false" : ""));
      }
      if (seen.insert(name).second) continue;
      refuse(case_, path_ + ".bodies",
             fmt::format("found {} twice, must be there once", one_line(name, 64)));
    }
    if (*quantity_.kind != QuantityKind::torque || quantity_.bodies.size() < 2) return;
    refuse(case_, path_ + ".bodies",
           "found several bodies, must be one: torques refer to the centre of each body");
  }

  const Case& case_;
  const BodyIndex& bodies_;
  std::size_t position_;
  const NamedQuantity& quantity_;
  std::string path_;
};

const NamedQuantity* find_quantity(const Case& lbm_case, const std::string& name) {
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    if (quantity.name == name) return &quantity;
  }
  return nullptr;
}

void check_steady(const Case& lbm_case) {
  const char* const key = "run.until_steady.quantities";
  for (const std::string& name : lbm_case.run.until_steady.quantities) {
    const NamedQuantity* quantity = find_quantity(lbm_case, name);
    if (quantity == nullptr) {
      refuse(lbm_case, key,
             fmt::format("found {}, must be a name under quantities", one_line(name, 64)));
    }
    if (!is_count(*quantity->kind)) continue;
    refuse(lbm_case, key,
           fmt::format("found {}, which is the same at all times: remove it", one_line(name, 64)));
  }
}

void check_expected(const Case& lbm_case, const Expectation& expected) {
  if (expected.of.empty()) return;
  const std::string key = "expect." + expected.name + ".of";
  const NamedQuantity* quantity = find_quantity(lbm_case, expected.of);
  if (quantity == nullptr) {
    refuse(lbm_case, key,
           fmt::format("found {}, must be a name under quantities", one_line(expected.of, 64)));
  }
  if (expected.measure->quantity == Quantity::value) return;
  if (is_count(*quantity->kind)) {
    refuse(lbm_case, key,
           fmt::format("found {}, which is the same at all times: take quantity: value",
                       one_line(expected.of, 64)));
  }
  if (!is_of_region(*quantity->kind) || quantity->every_steps) return;
  refuse(lbm_case, key,
         fmt::format("found {}, which is sampled only at the end: give quantities.{}.every_steps",
                     one_line(expected.of, 64), expected.of));
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
    refuse(lbm_case, "quantities." + quantity.name + ".bodies",
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
  refuse(lbm_case, "quantities." + quantity.name + ".kind",
         fmt::format(
             "conflicts with force and boundaries: a {} needs a constant force.acceleration, a "
             "pressure_drop, or pressure faces at both ends of an axis that differ in pressure, "
             "and no force by formulas or with an amplitude beside them",
             enum_names(*quantity.kind)[static_cast<std::size_t>(*quantity.kind)]));
}

}  // namespace

void check_quantities(const Case& lbm_case) {
  std::set<std::string> names;
  const BodyIndex bodies(lbm_case);
  if (lbm_case.quantities.size() > most_quantities) {
    missing(lbm_case, fmt::format("found {} quantities, must be at most {}: write probes instead",
                                  lbm_case.quantities.size(), most_quantities));
  }
  for (std::size_t i = 0; i < lbm_case.quantities.size(); ++i) {
    const std::string& name = lbm_case.quantities[i].name;
    if (!is_new_name(name, names)) {
      missing(lbm_case, fmt::format("found a quantity named \"{}\", must be another name, of {}",
                                    one_line(name, 64), item_name_rule));
    }
    Checker(lbm_case, bodies, i).check();
  }
  check_steady(lbm_case);
  for (const Expectation& expected : lbm_case.expect) check_expected(lbm_case, expected);
}

void check_quantity_values(const Case& lbm_case, const Derived& derived, const Units& units) {
  const BodyIndex bodies(lbm_case);
  for (const NamedQuantity& quantity : lbm_case.quantities) {
    const std::string path = "quantities." + quantity.name;
    check_region(lbm_case, path, quantity.region, units);
    check_drive(lbm_case, quantity, derived, units);
    if (quantity.point) {
      check_place(lbm_case, path + ".point", to_cells(units, *quantity.point), rounding);
    }
    if (quantity.pressure_gradient && acceleration_depends_on_place(lbm_case)) {
      refuse(lbm_case, path + ".pressure_gradient",
             "conflicts with force.acceleration, which depends on the place and stands for no "
             "pressure gradient: remove this key");
    }
    check_before_end(lbm_case, path + ".start", quantity.start, derived, units);
    check_references(lbm_case, bodies, quantity, derived, units);
  }
}

}  // namespace lbm::cases::validation
