// SPDX-License-Identifier: Apache-2.0

// The scalars of a case in lattice units (solver/lattice/scalars.hpp), their initial values, and
// the numbers that say how they diffuse and push the flow. docs/scalars.md explains them to users.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "solver/lattice/initial_state.hpp"
#include "solver/lattice/scalars.hpp"

namespace lbm::cases {

// Diffusivity, cells^2 per step; buoyant acceleration at reference + difference, cells per step^2.
double diffusivity_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived);
Vec3 buoyancy_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived);

// True for conditions that have a `value`.
constexpr bool takes_value(ScalarBoundary kind) {
  return kind != ScalarBoundary::no_flux && kind != ScalarBoundary::open;
}

// The condition of a scalar on a face, or on a patch of it.
struct ScalarPart {
  ScalarBoundary kind = ScalarBoundary::no_flux;
  std::optional<double> value = {};
  std::string formula = {};  // instead of `value`; that of a patch may be a number
  double coefficient = 0;
  std::string key = {};  // of the value, below that of the scalar: "boundaries.x_min.value"

  bool operator==(const ScalarPart&) const = default;
};
// That of the face, then one for each patch of the flow there (Face::patches), unless all of the
// face has the same. Where the case gives none, that of the flow implies it.
std::vector<ScalarPart> parts_of_face(const ScalarKeys& scalar, const Case& lbm_case,
                                      std::size_t face);
// The kind of the first of them.
ScalarBoundary face_kind(const ScalarKeys& scalar, const Case& lbm_case, std::size_t face);

// The mean of the value over a face, as the lattice stores it, at a time in steps. All of the face
// has the same condition.
std::function<double(double step)> mean_at_face(const ScalarKeys& scalar, const Case& lbm_case,
                                                const Derived& derived, std::size_t face);

// In the order of the case. A body that is a part of others has no number, and is left out.
std::vector<ScalarSpec> scalar_specs(const Case& lbm_case, const Derived& derived);

// Number of a solid body among those of the lattice; empty for a part of others and for no body.
std::optional<int> number_of_body(const Case& lbm_case, const std::string& name);

// `flow` with the initial values of the scalars beside it. Its fill throws UsageError for values
// that are not finite. A case without scalars has `flow` itself.
InitialState with_initial_scalars(const Case& lbm_case, const Derived& derived, InitialState flow);
// Looks at a few thousand cells of the box, its corners among them. Throws UsageError. Returns the
// least and the largest stored value of each scalar there.
std::vector<std::array<double, 2>> sampled_initial_scalars(const Case& lbm_case,
                                                           const Derived& derived);

// Numbers of a scalar for reports and checks.
struct ScalarNumbers {
  double diffusivity = 0;  // cells^2 per step
  double capacity = 1;     // ScalarSpec::reference_capacity()
  double tau = 0;          // relaxation time in the fluid, steps: 4 diffusivity / capacity + 1/2
  double prandtl = 0;      // viscosity / diffusivity
  double peclet = 0;       // U L / diffusivity
  // 0 for a scalar that is not buoyant. Speed of free fall: sqrt(acceleration L), cells per step.
  double rayleigh = 0;
  double free_fall = 0;
  // Rough estimates where the case has `rayleigh`, else 0: the Nusselt number 0.15 Ra^0.28 of
  // convection between a hot and a cold wall a length L apart, at least 1, and the thickness of the
  // thermal boundary layer in cells, L / (2 Nu).
  double nusselt = 0;
  double layer = 0;
};
ScalarNumbers numbers_of(const ScalarKeys& scalar, const Case& lbm_case, const Derived& derived);

}  // namespace lbm::cases
