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
                     const Units& units, std::size_t face) {
  const ScalarKeys::FaceKeys& keys = scalar.faces[face];
  ScalarFace spec;
  spec.kind = face_kind(scalar, lbm_case, face);
  if (keys.value) spec.value = value_of(scalar, spec.kind, *keys.value, units);
  spec.coefficient = keys.coefficient.value_or(0) / units.velocity;
  if (keys.formula.empty()) return spec;
  const ScalarFaceFormula formula(lbm_case, derived, scalar, face);
  spec.by_place = formula.by_place();
  if (!spec.by_place) spec.function = std::make_shared<ScalarFaceFormula>(formula);
  return spec;
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
  for (std::size_t f = 0; f < 6; ++f)
    spec.faces[f] = face_spec(scalar, lbm_case, derived, units, f);
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

ScalarBoundary face_kind(const ScalarKeys& scalar, const Case& lbm_case, std::size_t face) {
  if (scalar.faces[face].kind) return *scalar.faces[face].kind;
  const BoundaryKind of_flow = lbm_case.faces[face].type;
  if (of_flow == BoundaryKind::periodic) return ScalarBoundary::periodic;
  // An outlet of given velocity.
  const double inwards = lbm_case.faces[face].velocity[face / 2] * (face % 2 == 0 ? 1 : -1);
  bool leaves = of_flow == BoundaryKind::velocity && inwards < 0;
  for (const Patch& patch : lbm_case.faces[face].patches) {
    leaves = leaves || fixes_pressure(patch.type);
  }
  return fixes_pressure(of_flow) || leaves ? ScalarBoundary::open : ScalarBoundary::no_flux;
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
