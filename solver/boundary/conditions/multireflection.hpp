// SPDX-License-Identifier: Apache-2.0

// The surface of a body, of third order in steady flow: multireflection (Ginzburg & d'Humieres,
// Phys. Rev. E 68 (2003) 066614), in a form that reads no cell but x and the one behind it, x +
// c_q. p = opp(q) is the outgoing direction, d the share of the link at which the wall lies, u_w
// its velocity there, j the momentum of a cell:
//
//   f_q(x, t+1) = f_p(x) + k (f_p(x + c_q) - f_q(x))
//                 - (a - 4 + 2 a d + a d^2) 3 w c_q . j(x) - a d^2 3 w c_q . j(x + c_q)
//                 + a 3 w c_q . u_w + (1 + k) (2 tau_o - 1) g,     all at t,
//   a = 4 s / (1 + d)^2,  k = 1 - a d (1 + d),
//   g = -(3 w c_q . j(x) + (f_p(x) - f_q(x) + 3 w c_q . F) / 2) / (tau_o - 1),  F: body force
//
// Why: let e be the odd part of the equilibrium along the link, e' and e" its derivatives towards
// the wall. In steady flow (Chapman & Enskog) the equation without g says e + d e' + d^2 e"/2 = e
// of the wall, less (1 + k) (2 tau_o - 1) / a times the change g of the odd part in a collision,
// whose relaxation time is tau_o. The last term adds it again. Without it TRT with magic 3/16 has a
// drag of a cylinder 2.6 % off. Near tau_o = 1, and with regularised collisions, nothing of the odd
// part is left after the collision, and the term is left out. (From even parts instead, g makes
// these walls unstable.) Multireflection takes f_q of the cell behind in place of j: a cell more.
//
// Any share s > 0 gives the same steady flow. s = 1 is multireflection's own. Near tau = 1/2 it is
// unstable: see multireflection_share().
#pragma once

#include "solver/boundary/conditions/interpolated_bounce_back.hpp"

namespace lbm {

// The share s for a relaxation time of the stress. From the spectral radius of a layer of fluid
// between this wall and one at 1/2, all d (docs/method.md): stable with BGK at tau 0.51 up to s =
// 0.2, at 0.55 up to 0.6, at 0.6 up to 1.
inline double multireflection_share(double tau) {
  const double share = 10 * (tau - 0.5);
  return share < 1 ? share : 1;
}

// The term with g divides by tau_o - 1. The term is left out where |tau_o - 1| <= least_rest.
inline constexpr double least_rest = 0.1;

template <class Cell>
LBM_HD typename Cell::Real multireflection(const Cell& cell, const BodyLink& link) {
  using Real = typename Cell::Real;
  const Direction& e = link.e;
  const double d = link.d, a = 4 * link.multireflection / ((1 + d) * (1 + d));
  // 3 w c_q . j of the cell and of the one behind: the odd part of their equilibrium
  const auto odd = [&](const auto& m) {
    const double u[3] = {double{m.ux}, double{m.uy}, double{m.uz}};
    return 3 * weight<typename Cell::Set, double>(e.q) * double{m.rho()} *
           equilibrium_parts(cell, e, u).odd;
  };
  const double here = odd(cell.moments()), behind = odd(cell.moments_at(e.c[0], e.c[1], e.c[2]));
  const double fluid = (a - 4 + 2 * a * d + a * d * d) * here + a * d * d * behind;
  const double k = 1 - a * d * (1 + d);
  const Real out = cell.populations[e.opposite], in = cell.populations[e.q];
  const Real out_behind = outgoing_behind(cell, e);
  const double time = cell.params.odd_time, rest = time - 1;
  Real change = 0;  // g
  if (rest < -least_rest || rest > least_rest) {
    const Real odd_part = (out - in + force_part(cell, e)) / Real(2);
    change = -(cell.scaled(here) + odd_part) / static_cast<Real>(rest);
  }
  return out + static_cast<Real>(k) * (out_behind - in) +
         cell.scaled(a / 2 * link.wall_term - fluid) +
         static_cast<Real>((1 + k) * (2 * time - 1)) * change;
}

// The population that enters the cell from a body.
template <class Cell>
LBM_HD typename Cell::Real reflected_by_body(const Cell& cell, const BodyLink& link) {
  return link.multireflection > 0 ? multireflection(cell, link)
                                  : interpolated_bounce_back(cell, link);
}

}  // namespace lbm
