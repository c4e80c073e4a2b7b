// SPDX-License-Identifier: Apache-2.0

// Derived macroscopic fields from density less 1, velocity and its gradient. Lattice units; the
// cells of a plane row by row. A result has room for all cells.
#pragma once

#include <span>

#include "solver/core/enum_names.hpp"

namespace lbm::fields {

enum class Kind {
  density,
  pressure,
  velocity,
  vorticity,
  q_criterion,
  strain_rate,
  wall_shear_stress,
  solid
};

constexpr auto enum_names(Kind) {
  return std::array{"density",     "pressure",    "velocity",          "vorticity",
                    "q_criterion", "strain_rate", "wall_shear_stress", "solid"};
}
using lbm::to_string;

constexpr int components_of(Kind kind) {
  if (kind == Kind::strain_rate) return 6;
  const bool vector =
      kind == Kind::velocity || kind == Kind::vorticity || kind == Kind::wall_shear_stress;
  return vector ? 3 : 1;
}

// True if the kind needs the neighbouring planes and cells.
constexpr bool needs_gradient(Kind kind) {
  return kind == Kind::vorticity || kind == Kind::q_criterion || kind == Kind::strain_rate ||
         kind == Kind::wall_shear_stress;
}

// gradient: du_i / dx_j at 9 * cell + 3 * i + j.
void vorticity(std::span<const float> gradient, std::span<float> result);  // 3 per cell

// (|W|^2 - |S|^2) / 2 with the antisymmetric and symmetric parts of the gradient (Hunt, Wray & Moin
// 1988).
void q_criterion(std::span<const float> gradient, std::span<float> result);

// Symmetric part of the gradient: xx, yy, zz, xy, yz, xz, the order of VTK.
void strain_rate(std::span<const float> gradient, std::span<float> result);

// Length of each vector.
void magnitude(std::span<const float> vectors, std::span<float> result);

// Relative pressure (rho - 1) / 3.
void pressure(std::span<const float> drho, std::span<float> result);

}  // namespace lbm::fields
