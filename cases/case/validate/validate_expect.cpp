// SPDX-License-Identifier: Apache-2.0

// Expectations: keys of quantities, names of bodies, places and times.
#include <map>
#include <set>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "cases/case/schema/keys.hpp"
#include "cases/case/tables/tables.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

std::string key_of(const Expectation& expected, const std::string& name) {
  return "expect." + expected.name + "." + name;
}

// The keys that define the compared value. A quantity requires all of its own and excludes others.
std::set<std::string> keys_of_quantity(Quantity quantity) {
  switch (quantity) {
    case Quantity::force:
    case Quantity::torque:
    case Quantity::coefficient:
      return {"body", "value"};
    case Quantity::velocity:
      return {"point", "value"};
    case Quantity::profile:
      return {"profile", "column", "file"};
    case Quantity::mass:
    case Quantity::kinetic_energy:
      return {"value"};
    default:
      return {"of", "value"};
  }
}

void check_body_name(const Case& lbm_case, const BodyIndex& bodies, const Expectation& expected) {
  if (expected.body.empty()) return;
  const Body* body = bodies.find(expected.body);
  if (body && body->solid) return;
  refuse(lbm_case, key_of(expected, "body"),
         fmt::format("found {}, must be a solid body of this case{}", one_line(expected.body, 64),
                     body ? ": it has solid: false" : ""));
}

void check_tolerance(const Case& lbm_case, const Expectation& expected) {
  if (expected.tolerance.has_value() == expected.tolerance_absolute.has_value()) {
    refuse(lbm_case, key_of(expected, "tolerance"),
           expected.tolerance ? "conflicts with tolerance_absolute: remove one"
                              : "missing: tolerance or tolerance_absolute");
  }
  if (expected.tolerance && expected.value == 0.0) {
    refuse(
        lbm_case, key_of(expected, "tolerance"),
        "conflicts with value: 0, to which nothing is relative: give tolerance_absolute instead");
  }
}

// Means exist for forces, which are known at every step, and for monitor samples.
void check_mean(const Case& lbm_case, const Expectation& expected) {
  if (!expected.average_from) return;
  const Quantity quantity = expected.measure->quantity;
  if (quantity == Quantity::velocity || quantity == Quantity::profile) {
    refuse(lbm_case, key_of(expected, "average_from"),
           "conflicts with quantity: velocities and profiles exist at the end only: remove it");
  }
  if (is_of_named(quantity)) {
    refuse(lbm_case, key_of(expected, "average_from"),
           fmt::format("conflicts with of: give quantities.{}.start instead, and quantity: mean",
                       one_line(expected.of, 64)));
  }
  const bool sampled = quantity == Quantity::mass || quantity == Quantity::kinetic_energy;
  if (sampled && !lbm_case.output.monitor) {
    refuse(lbm_case, key_of(expected, "average_from"),
           "missing: output.monitor, whose samples this mean requires");
  }
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

}  // namespace

void check_expectations(const Case& lbm_case) {
  std::set<std::string> names;
  const BodyIndex bodies(lbm_case);
  for (std::size_t i = 0; i < lbm_case.expect.size(); ++i) {
    const Expectation& expected = lbm_case.expect[i];
    if (!is_new_name(expected.name, names)) {
      missing(lbm_case,
              fmt::format("found an expectation named \"{}\", must be another name, of {}",
                          one_line(expected.name, 64), item_name_rule));
    }
    if (!expected.measure) {
      refuse(lbm_case, key_of(expected, "quantity"),
             "missing: every expectation requires a quantity");
    }
    check_keys_of_kind(lbm_case, "expect." + expected.name, i, "quantity",
                       {"of", "body", "point", "profile", "column", "file", "value"},
                       keys_of_quantity(expected.measure->quantity));
    check_body_name(lbm_case, bodies, expected);
    check_tolerance(lbm_case, expected);
    check_mean(lbm_case, expected);
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
