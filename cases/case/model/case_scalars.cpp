// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_scalars.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/box_formulas.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases {
namespace {

// The initial values, of those scalars that have a formula.
class ScalarFormulas : public BoxFormulas {
 public:
  ScalarFormulas(const Case& lbm_case, const Derived& derived)
      : BoxFormulas(lbm_case, derived), scalars_(lbm_case.scalars) {
    formula::Names names = formula_names(lbm_case, derived, {"x", "y", "z"});
    names.elsewhere.emplace_back("t",
                                 "the scalar is that at time 0, must be a formula of x, y and z");
    for (std::size_t s = 0; s < scalars_.size(); ++s) {
      if (scalars_[s].initial.empty()) continue;
      const std::string key = where(lbm_case, "scalars." + scalars_[s].name + ".initial");
      parts_.push_back({parse_formula(key, "", scalars_[s].initial, names), key, "it"});
      of_part_.push_back(s);
    }
  }

  void fill(int y, int z, const StateRow& row) const {
    std::array<std::span<double>, 4> rows{};
    for (std::size_t p = 0; p < of_part_.size(); ++p) rows[p] = row.scalars[of_part_[p]];
    fill_row(y, z, rows);
    for (std::size_t p = 0; p < of_part_.size(); ++p) {
      for (double& value : rows[p]) value = stored_value(scalars_[of_part_[p]], value);
    }
  }

  // The least and the largest stored value of each scalar among the sampled cells.
  std::vector<std::array<double, 2>> sampled_ranges() const {
    std::vector<std::array<double, 2>> ranges(scalars_.size());
    constexpr double none = std::numeric_limits<double>::infinity();
    for (const std::size_t s : of_part_) ranges[s] = {none, -none};
    visit_sample([&](const Values& values) {
      for (std::size_t p = 0; p < of_part_.size(); ++p) {
        auto& [low, high] = ranges[of_part_[p]];
        const double stored = stored_value(scalars_[of_part_[p]], values[p]);
        low = std::min(low, stored);
        high = std::max(high, stored);
      }
    });
    return ranges;
  }

 private:
  bool is_good(const Values& values) const override {
    bool finite = true;
    for (std::size_t p = 0; p < of_part_.size(); ++p) finite = finite && std::isfinite(values[p]);
    return finite;
  }
  // All that is finite is good.
  [[noreturn]] void refuse(const Values& values, const std::string& place) const override {
    refuse_value(parts_[0].key, parts_[0].name, values[0], place);
  }

  std::vector<ScalarKeys> scalars_;
  std::vector<std::size_t> of_part_;  // scalar of each part
};

// The value of a face or body in lattice units.
double value_of(const ScalarKeys& scalar, ScalarBoundary kind, double value, const Units& units) {
  return kind == ScalarBoundary::flux ? value / scalar.difference / units.velocity
                                      : stored_value(scalar, value);
}

ScalarFace face_spec(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived,
                     const Units& units, std::size_t face, const ScalarPart& part) {
  ScalarFace spec;
  spec.kind = part.kind;
  if (part.value) spec.value = value_of(scalar, spec.kind, *part.value, units);
  spec.coefficient = part.coefficient / units.velocity;
  if (part.formula.empty()) return spec;
  const ScalarFaceFormula formula(lbm_case, derived, scalar, face, part);
  spec.by_place = formula.by_place();
  if (spec.by_place) return spec;
  if (formula.by_time()) {
    spec.function = std::make_shared<ScalarFaceFormula>(formula);
  } else {
    spec.value = formula.at(0);
  }
  return spec;
}

void set_face(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived,
              const Units& units, std::size_t face, ScalarSpec& spec) {
  const std::vector<ScalarPart> parts = parts_of_face(scalar, lbm_case, face);
  spec.faces[face] = face_spec(scalar, lbm_case, derived, units, face, parts[0]);
  spec.patches[face].reserve(parts.size() - 1);
  for (std::size_t p = 1; p < parts.size(); ++p) {
    spec.patches[face].push_back(face_spec(scalar, lbm_case, derived, units, face, parts[p]));
  }
  const auto values = std::make_shared<ScalarFaceValues>(lbm_case, derived, scalar, face);
  if (values->change()) spec.face_functions[face] = values;
}

// The kind that the condition of the flow implies.
ScalarBoundary implied_kind(const FaceCondition& flow, std::size_t face) {
  if (flow.type == BoundaryKind::periodic) return ScalarBoundary::periodic;
  // An outlet of given velocity.
  const double inwards = flow.velocity[face / 2] * (face % 2 == 0 ? 1 : -1);
  const bool leaves = flow.type == BoundaryKind::velocity && inwards < 0;
  return fixes_pressure(flow.type) || leaves ? ScalarBoundary::open : ScalarBoundary::no_flux;
}

double number_at(const std::vector<double>& numbers, std::size_t at, double otherwise) {
  return at < numbers.size() ? numbers[at] : otherwise;
}

ScalarSpec spec_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived) {
  const Units units = make_units(lbm_case, derived);
  ScalarSpec spec;
  spec.omega = scalar_omega(diffusivity_of(scalar, lbm_case, derived));
  spec.turbulent_prandtl = scalar.turbulent_prandtl;
  spec.buoyancy = buoyancy_of(scalar, lbm_case, derived);
  spec.source = scalar.source * units.time / scalar.difference;
  for (std::size_t f = 0; f < 6; ++f) set_face(scalar, lbm_case, derived, units, f, spec);
  for (std::size_t b = 0; b < scalar.bodies.size(); ++b) {
    if (const auto number = number_of_body(lbm_case, scalar.bodies[b])) {
      const ScalarBoundary kind = scalar.type_of_body(b);
      spec.bodies.push_back({*number, value_of(scalar, kind, scalar.body_values.at(b), units), kind,
                             number_at(scalar.body_coefficients, b, 0) / units.velocity});
    }
  }
  for (std::size_t b = 0; b < scalar.conductors.size(); ++b) {
    if (const auto number = number_of_body(lbm_case, scalar.conductors[b])) {
      spec.conductors.push_back(
          {*number, scalar.conductivities.at(b), number_at(scalar.capacities, b, 1),
           number_at(scalar.conductor_sources, b, 0) * units.time / scalar.difference});
    }
  }
  const Vec3 gradient = scalar.gradient.value_or(Vec3{});
  for (std::size_t a = 0; a < 3; ++a) {
    spec.gradient[a] = gradient[a] * units.length / scalar.difference;
  }
  if (const auto& bounds = scalar.bounds) {
    spec.bounds = {stored_value(scalar, (*bounds)[0]), stored_value(scalar, (*bounds)[1])};
  }
  return spec;
}

}  // namespace

double diffusivity_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived) {
  if (scalar.prandtl) return derived.viscosity / *scalar.prandtl;
  if (scalar.peclet) return derived.velocity * derived.length / *scalar.peclet;
  return scalar.diffusivity.value_or(0) / make_units(lbm_case, derived).viscosity;
}

Vec3 buoyancy_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived) {
  if (scalar.buoyancy) {
    return to_lattice_acceleration(make_units(lbm_case, derived), *scalar.buoyancy);
  }
  if (!scalar.rayleigh) return {};
  const double diffusivity = diffusivity_of(scalar, lbm_case, derived);
  const double size =
      *scalar.rayleigh * derived.viscosity * diffusivity / std::pow(derived.length, 3);
  const double length = std::hypot(scalar.up[0], scalar.up[1], scalar.up[2]);
  Vec3 acceleration;
  for (std::size_t a = 0; a < 3; ++a) acceleration[a] = size * scalar.up[a] / length;
  return acceleration;
}

std::vector<ScalarPart> parts_of_face(const ScalarKeys& scalar, const Case& lbm_case,
                                      std::size_t face) {
  const ScalarKeys::FaceKeys& keys = scalar.faces[face];
  const Face& flow = lbm_case.faces[face];
  const std::string start = "boundaries." + face_names()[face];
  const ScalarPart whole{keys.kind.value_or(implied_kind(flow, face)), keys.value, keys.formula,
                         keys.coefficient.value_or(0), start + ".value"};
  std::vector<ScalarPart> parts{whole};
  for (const Patch& patch : flow.patches) {
    ScalarPart& part = parts.emplace_back(whole);
    if (!keys.kind) part.kind = implied_kind(patch, face);
    for (std::size_t p = 0; p < keys.patches.size(); ++p) {
      if (keys.patches[p] != patch.name) continue;
      part = {keys.type_of_patch(p),
              {},
              {},
              number_at(keys.patch_coefficients, p, 0),
              start + ".patch_values"};
      if (takes_value(part.kind) && p < keys.patch_values.size())
        part.formula = keys.patch_values[p];
    }
  }
  const bool same = std::all_of(parts.begin(), parts.end(),
                                [&](const ScalarPart& part) { return part == whole; });
  if (same) parts.resize(1);
  return parts;
}

ScalarBoundary face_kind(const ScalarKeys& scalar, const Case& lbm_case, std::size_t face) {
  return scalar.faces[face].kind.value_or(implied_kind(lbm_case.faces[face], face));
}

std::function<double(double step)> mean_at_face(const ScalarKeys& scalar, const Case& lbm_case,
                                                const Derived& derived, std::size_t face) {
  const ScalarFace spec = face_spec(scalar, lbm_case, derived, make_units(lbm_case, derived), face,
                                    parts_of_face(scalar, lbm_case, face)[0]);
  const auto by_place = std::make_shared<ScalarFaceValues>(lbm_case, derived, scalar, face);
  const double constant =
      spec.value + (by_place->any() && !by_place->change() ? by_place->mean(0) : 0);
  return [spec, by_place, constant](double step) {
    return constant + (spec.function != nullptr ? spec.function->at(step) : 0) +
           (by_place->change() ? by_place->mean(step) : 0);
  };
}

// In a case with such bodies all solid bodies are listed (make_shapes).
std::optional<int> number_of_body(const Case& lbm_case, const std::string& name) {
  int number = 0;
  for (const Body& body : lbm_case.bodies) {
    if (body.solid && body.name == name) return number;
    number += body.solid ? 1 : 0;
  }
  return std::nullopt;
}

std::vector<ScalarSpec> scalar_specs(const Case& lbm_case, const Derived& derived) {
  std::vector<ScalarSpec> all;
  all.reserve(lbm_case.scalars.size());
  for (const ScalarKeys& scalar : lbm_case.scalars) {
    all.push_back(spec_of(scalar, lbm_case, derived));
  }
  return all;
}

InitialState with_initial_scalars(const Case& lbm_case, const Derived& derived, InitialState flow) {
  const auto& scalars = lbm_case.scalars;
  if (std::all_of(scalars.begin(), scalars.end(), [](const auto& s) { return s.initial.empty(); }))
    return flow;
  const bool has_strain = flow.has_strain();
  const auto formulas = std::make_shared<const ScalarFormulas>(lbm_case, derived);
  return {[formulas, flow = std::move(flow)](int y, int z, const StateRow& row) {
            if (flow) flow(y, z, row);
            formulas->fill(y, z, row);
          },
          has_strain};
}

std::vector<std::array<double, 2>> sampled_initial_scalars(const Case& lbm_case,
                                                           const Derived& derived) {
  return ScalarFormulas(lbm_case, derived).sampled_ranges();
}

ScalarNumbers numbers_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived) {
  ScalarNumbers n;
  n.diffusivity = diffusivity_of(scalar, lbm_case, derived);
  n.capacity = spec_of(scalar, lbm_case, derived).reference_capacity();
  n.tau = 4 * n.diffusivity / n.capacity + 0.5;
  n.prandtl = derived.viscosity / n.diffusivity;
  n.peclet = derived.velocity * derived.length / n.diffusivity;
  const Vec3 a = buoyancy_of(scalar, lbm_case, derived);
  const double size = std::hypot(a[0], a[1], a[2]);
  n.rayleigh = size * std::pow(derived.length, 3) / (derived.viscosity * n.diffusivity);
  n.free_fall = std::sqrt(size * derived.length);
  if (!scalar.rayleigh) return n;
  n.nusselt = std::max(1.0, 0.15 * std::pow(n.rayleigh, 0.28));
  n.layer = derived.length / (2 * n.nusselt);
  return n;
}

}  // namespace lbm::cases
