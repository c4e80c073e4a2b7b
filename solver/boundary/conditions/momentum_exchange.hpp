// SPDX-License-Identifier: Apache-2.0

// The force of the fluid on a body: Galilean invariant momentum exchange (Wen, Zhang, Tu, Wang &
// Fang, J. Comput. Phys. 266 (2014) 161). A link gives the body
//
//   (c_p - u) f_p(x, t) - (c_q - u) f_q(x, t+1),   p = opp(q), u: velocity of the wall
// The pressure of density 1 is left out: its sum over a closed surface is zero. A surface may
// continue beyond a periodic face with a drop of density: there the mean density of both sides is
// left out.
#pragma once

#include "solver/boundary/conditions/interpolated_bounce_back.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm {

// Force and torque on one body, as in a record (step_record.hpp).
struct BodyLoad {
  int body = -1;
  std::int64_t value[6] = {};

  LBM_HD void clear(int next) {
    body = next;
    for (std::int64_t& v : value) v = 0;
  }
  // bodies: where the six numbers of body 0 are.
  LBM_HD void add_to(std::int64_t* bodies) const {
    for (int i = 0; i < 6 && body >= 0; ++i) {
      if (value[i] != 0) add_shared(bodies + 6 * body + i, value[i]);
    }
  }
};

// in, out: the populations that the link brings back and takes out.
template <class Cell>
LBM_HD void add_momentum_exchange(const Cell& cell, const BodyLink& link, typename Cell::Real in,
                                  typename Cell::Real out, BodyLoad& load) {
  const int(&c)[3] = link.e.c;
  const double both = (double{out} + double{in}) / double{Cell::scale};
  const double lost = (double{out} - double{in}) / double{Cell::scale};
  const unsigned drops = drop_faces(cell.params.boundaries);
  const double drop =
      drops == 0 ? 0 : d3q19::weight<double>(link.e.q) * density_drop_across(cell, link.e, drops);
  double force[3];
  for (int a = 0; a < 3; ++a) {
    force[a] = c[a] * (drop - both) - link.u[a] * lost;
    load.value[a] += fixed::from(force[a], fixed::force);
  }
  for (int a = 0; a < 3; ++a) {
    const int i = (a + 1) % 3, j = (a + 2) % 3;
    const double torque = link.arm[i] * force[j] - link.arm[j] * force[i];
    load.value[3 + a] += fixed::from(torque, fixed::torque);
  }
}

}  // namespace lbm
