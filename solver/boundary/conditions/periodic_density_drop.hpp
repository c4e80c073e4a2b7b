// SPDX-License-Identifier: Apache-2.0

// Periodic faces with a drop of density (pressure) between them, which drives the flow.
//
//   f_q(x, t+1) = f_q(x - c_q, t) + w_q D
// for links through the faces; D: the density beyond the face above that on the other side of the
// box. A term with the velocity would create mass: as much must enter at one side as leaves at the
// other.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"

namespace lbm {

// Bits of the faces with a drop.
LBM_HD unsigned drop_faces(const BoundaryView& view) {
  return (view.density_drop[0] != 0 ? 3U : 0U) | (view.density_drop[1] != 0 ? 12U : 0U) |
         (view.density_drop[2] != 0 ? 48U : 0U);
}

// D for the link of direction e, through those of `faces` that it crosses.
template <class Cell>
LBM_HD double density_drop_across(const Cell& cell, const Direction& e, unsigned faces) {
  const unsigned crossed = cell.touched & entered_faces(e) & faces;
  double drop = 0;
  for (int a = 0; a < 3; ++a) {
    if ((crossed >> (2 * a) & 1U) != 0) drop += cell.params.boundaries.density_drop[a];
    if ((crossed >> (2 * a) & 2U) != 0) drop -= cell.params.boundaries.density_drop[a];
  }
  return drop;
}

struct PeriodicDensityDrop {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(const Cell& cell, const FaceLink& link) const {
    const double drop = density_drop_across(cell, link.e, link.crossed);
    return cell.pull(link.e) + cell.scaled(weight<typename Cell::Set, double>(link.e.q) * drop);
  }
};

}  // namespace lbm
