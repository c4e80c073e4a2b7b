// SPDX-License-Identifier: Apache-2.0

// A sponge: a layer before some faces in which the state relaxes towards that of the far field, so
// that little sound comes back from the faces and vortices die before they reach them.
//
//   f_q <- f_q - s (f_q - feq_q(rho_far, u_far)) after each step,
//   s = sum over the faces of s_max (1 - d / thickness)^2 for the cells with d < thickness,
// d: from the face to the centre of the cell. Density and momentum decay at the same rate, so the
// layer has the impedance of the fluid for sound at right angles to the face, whatever s is: only
// the face reflects, and the wave crosses the layer twice:
//   reflection = exp(-2 strength) times that of the face,  strength = s_max thickness / (3 c_s)
// Absorbing layers: Israeli & Orszag, J. Comput. Phys. 41 (1981) 115; of this form for LBM: Xu &
// Sagaut, J. Comput. Phys. 245 (2013) 14; strength and quadratic growth: Mani, J. Comput. Phys. 231
// (2012) 704.
#pragma once

#include <array>

#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/walls.hpp"

namespace lbm {

// Lattice units: cells, steps, density 1.
struct Sponge {
  unsigned faces = 0;     // bits: before which faces (FaceBit); none: no sponge
  double thickness = 0;   // of each layer
  double most_share = 0;  // s_max: share of the deviation that a step removes at the face
  std::array<double, 3> velocity{};
  TimeFactor factor;  // of the velocity
  double drho = 0;    // density less 1

  bool operator==(const Sponge&) const = default;
  bool any() const { return faces != 0; }
  bool changes() const { return any() && factor.kind != TimeFactor::Kind::constant; }
};

// Where three layers meet, a step must not remove more than the whole deviation.
inline constexpr double most_sponge_share = 1.0 / 3;

// s_max of a strength.
constexpr double sponge_share(double strength, double thickness) {
  return 3 * 0.57735026918962576 * strength / thickness;
}

}  // namespace lbm
