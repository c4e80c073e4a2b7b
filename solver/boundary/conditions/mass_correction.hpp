// SPDX-License-Identifier: Apache-2.0

// Interpolated bounce-back does not conserve mass. The surplus of a cell, over its links to bodies
// that ask for it (BodyMotion::conserves_mass),
//
//   m = sum_q (f_q(x, t+1) - f_opp(q)(x, t) - 6 w_q c_q . u),   j = sum_q (...) u
// is removed as an equilibrium that moves with the wall: f_q -= w_q (m + 3 c_q . j). Removed from
// fluid at rest instead, it would take momentum in every frame in which the wall moves.
#pragma once

#include "solver/boundary/conditions/interpolated_bounce_back.hpp"

namespace lbm {

template <class Real>
struct MassSurplus {
  Real mass = 0, momentum[3] = {};

  template <class Cell>
  LBM_HD void add(const Cell& cell, const BodyLink& link, Real in, Real out) {
    const Real more = in - out - cell.scaled(link.wall_term);
    mass += more;
    for (int a = 0; a < 3; ++a) momentum[a] += more * static_cast<Real>(link.u[a]);
  }
  LBM_HD void remove_from(Real (&g)[d3q19::directions]) const {
    const Real(&j)[3] = momentum;
    g[0] -= d3q19::weight<Real>(0) * mass;
    LBM_UNROLL
    for (int q = 1; q < d3q19::directions; ++q) {
      g[q] -= d3q19::weight<Real>(q) * (mass + Real(3) * dot_c(q, j[0], j[1], j[2]));
    }
  }
};

}  // namespace lbm
