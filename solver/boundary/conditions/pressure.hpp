// SPDX-License-Identifier: Apache-2.0

// A face with a prescribed pressure: anti-bounce-back with shear (Ginzburg, Verhaeghe &
// d'Humieres, Commun. Comput. Phys. 3 (2008) 427).
//
//   f_q(x, t+1) = 2 w_q rho (1 + 9/2 (c_q . u)^2 - 3/2 u^2) - f_opp(q)(x, t) - s
// (with the even part of the equilibrium of the collision model, here of second order)
// with populations after the collision and the velocity u of the cell. s is the even part of the
// non-equilibrium in the middle of the link: s = (2 tau - 1) (e-(x - t) - e-(x)), where t is the
// link's component along the face and e- the odd equilibrium. The odd part of the populations,
// (f_q - f_opp(q)) / 2, stands for e-. Without s the face has no shear stress, and a parallel flow
// bends there.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"

namespace lbm {

struct Pressure {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(const Cell& cell, const FaceLink& link) const {
    const auto m = cell.moments();
    const double drho = drho_on_link(cell, link);
    const double u[3] = {double{m.ux}, double{m.uy}, double{m.uz}};
    const double even = equilibrium_parts(cell, link.e, u).even;
    // f_q + f_opp(q) at the prescribed density
    const double pair =
        2 * weight<typename Cell::Set, double>(link.e.q) * (drho + (1 + drho) * even);
    return cell.scaled(pair) - outgoing(cell, link.e, link.face);
  }

 private:
  // The prescribed density less 1 where the link crosses the face: the mean of the two cells that
  // the link passes. With the density of one cell alone a fluid column under gravity would flow.
  template <class Cell>
  static LBM_HD double drho_on_link(const Cell& cell, const FaceLink& link) {
    const double here = prescribed_drho(cell, link);
    if (link.condition->profile < 0) return here;
    const BoundaryView& view = cell.params.boundaries;
    const LinkSource side = tangential_source(cell, link.e, link.face);
    const std::int64_t beside = cell.face_index(link.face, side.d);
    if (view.conditions + condition_at(view, link.face, beside) != link.condition) return here;
    return (here + double{view.profiles[link.condition->profile + beside]}) / 2;
  }
  // f_opp(q) + s
  template <class Cell>
  static LBM_HD typename Cell::Real outgoing(const Cell& cell, const Direction& e, int face) {
    using Real = typename Cell::Real;
    const LinkSource side = tangential_source(cell, e, face);
    const Real here = cell.populations[e.opposite];
    if (e.q <= 6 || cell.is_solid(side.d)) return here;
    // s = (tau - 1/2) x the difference of 2 e- at both ends of the link. The factor is limited to
    // 0.35: from about tau = 1 on a larger one would be unstable.
    const Real tau_less_half = Real(1) / cell.params.omega - Real(0.5);
    const Real factor = tau_less_half < Real(0.35) ? tau_less_half : Real(0.35);
    LinkSource back = side;
    back.q = opposite(side.q);
    const Real there = cell.load(back) - cell.load(side);
    return here + factor * (there - (here - cell.populations[e.q]));
  }
};

}  // namespace lbm
