// SPDX-License-Identifier: Apache-2.0

// The kinds of fields that follow from density and velocity.
#pragma once

#include "solver/core/enum_names.hpp"

namespace lbm::fields {

enum class Kind {
  density,
  pressure,  // relative: (rho - 1) / 3
  velocity,
  vorticity,
  q_criterion,  // (|W|^2 - |S|^2) / 2, W and S as below (Hunt, Wray & Moin 1988)
  strain_rate,  // S, the symmetric part of the gradient: xx, yy, zz, xy, yz, xz, the order of VTK
  wall_shear_stress,
  solid
};

constexpr auto enum_names(Kind) {
  return std::array{"density",     "pressure",    "velocity",          "vorticity",
                    "q_criterion", "strain_rate", "wall_shear_stress", "solid"};
}
using lbm::to_string;

constexpr int components_of(Kind kind) {
  constexpr std::array<int, 8> all{1, 1, 3, 3, 1, 6, 3, 1};
  return all[static_cast<std::size_t>(kind)];
}

// True if the kind needs the neighbouring planes and cells.
constexpr bool needs_gradient(Kind kind) {
  return kind >= Kind::vorticity && kind <= Kind::wall_shear_stress;
}

}  // namespace lbm::fields
