// SPDX-License-Identifier: Apache-2.0

// An outlet that sound leaves: characteristic outflow.
//
//   f_q(x, t+1) = f_q(x_s, t) + w_q (1 - 1/c_s) dR - w_q K (rho - rho_0)
// Populations are copied from the outermost plane (x_s: the source of the link moved along the
// normal into that plane), so a flow that does not change along the normal leaves undisturbed. The
// outgoing sound wave R = (rho + j_n / c_s) / 2 is extrapolated by its slope dR along the normal.
// The incoming sound wave is dropped. (Zero gradient would reflect 27 % of a sound wave.) K draws
// the density weakly to rho_0 (Rudy & Strikwerda, J. Comput. Phys. 36 (1980) 55); see
// Boundaries::add_condition.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"

namespace lbm {

// dR at a face of a cell: the links through the face share it.
template <class Real>
struct OutgoingWave {
  int face = -1;
  Real slope = 0;
};

struct CharacteristicOutflow {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(Cell& cell, const FaceLink& link) const {
    const double drho = double{density_momentum(cell.populations).drho} / double{Cell::scale};
    const double excess = drho - prescribed_drho(cell, link);
    return extrapolated(cell, link.e, link.face) -
           cell.scaled(weight<typename Cell::Set, double>(link.e.q) * link.condition->relaxation *
                       excess);
  }

 private:
  template <class Cell>
  static LBM_HD typename Cell::Real extrapolated(Cell& cell, const Direction& e, int face) {
    using Real = typename Cell::Real;
    const LinkSource side = tangential_source(cell, e, face);
    if (cell.is_solid(side.d)) return cell.populations[e.opposite];
    constexpr Real further = Real(1 - 1.7320508075688772);  // 1 - 1 / c_s
    return cell.load(side) + weight<typename Cell::Set, Real>(e.q) * further * slope(cell, face);
  }

  template <class Cell>
  static LBM_HD typename Cell::Real slope(Cell& cell, int face) {
    using Real = typename Cell::Real;
    OutgoingWave<Real>& wave = cell.outgoing_wave;
    if (wave.face == face) return wave.slope;
    const int axis = face / 2, inwards = (face & 1) != 0 ? -1 : 1;
    const int d[3] = {axis == 0 ? inwards : 0, axis == 1 ? inwards : 0, axis == 2 ? inwards : 0};
    wave = {face, 0};
    if (cell.is_solid(d)) return wave.slope;
    Real inner[Cell::Set::directions];
    LBM_UNROLL
    for (int q = 0; q < Cell::Set::directions; ++q) inner[q] = cell.load(q, d[0], d[1], d[2]);
    const Sums<Real> here = density_momentum(cell.populations), before = density_momentum(inner);
    const Real fall = axis == 0   ? here.jx - before.jx
                      : axis == 1 ? here.jy - before.jy
                                  : here.jz - before.jz;
    constexpr Real root = Real(1.7320508075688772);  // 1 / c_s
    wave.slope = Real(0.5) * (here.drho - before.drho - root * static_cast<Real>(inwards) * fall);
    return wave.slope;
  }
};

}  // namespace lbm
