// SPDX-License-Identifier: Apache-2.0

// The collision as the user chooses it: model, relaxation, turbulence model, body force.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "solver/core/enum_names.hpp"
#include "solver/lattice/time_function.hpp"

namespace lbm {

// How a cell relaxes towards equilibrium. Each model has a header in solver/collision.
enum class CollisionKind { bgk, trt, regularised, regularised_filtered };

constexpr auto enum_names(CollisionKind) {
  return std::array{"bgk", "trt", "regularised", "regularised_filtered"};
}
// True if the populations after the collision are a function of ten moments.
constexpr bool is_regularised(CollisionKind kind) {
  return kind == CollisionKind::regularised || kind == CollisionKind::regularised_filtered;
}

// Force per volume (acceleration times the density 1), cells per step^2:
//   F(t) = mean + amplitude cos(2 pi t / period) + functions(t).
struct BodyForce {
  std::array<double, 3> mean{}, amplitude{};
  double period = 0;  // steps; 0: no amplitude
  // One function for each component; null: 0. Compared by address.
  std::array<std::shared_ptr<const TimeFunction>, 3> functions;
  // The force depends on the place, too, and the boundaries have all of it (ForceField): here it is
  // zero.
  bool by_place = false;

  bool operator==(const BodyForce&) const = default;
  bool any() const;
  bool changes() const;
  std::array<double, 3> at(double step) const;
};

struct CollisionSpec {
  CollisionKind kind = CollisionKind::bgk;
  double omega = 1;         // 1 / tau
  double magic = 3.0 / 16;  // TRT: (tau - 1/2)(tau_odd - 1/2)
  double smagorinsky = 0;   // C_s, filter width one cell; 0: no turbulence model
  BodyForce force;

  bool operator==(const CollisionSpec&) const = default;
  // BGK alone: the fast path.
  // Relaxation time of the odd parts of opposite populations, without a turbulence model.
  double odd_time() const {
    if (is_regularised(kind)) return 1;
    const double tau = 1 / omega;
    return kind == CollisionKind::bgk ? tau : 0.5 + magic / (tau - 0.5);
  }
  bool plain() const { return kind == CollisionKind::bgk && smagorinsky == 0 && !force.any(); }
};

}  // namespace lbm
