// SPDX-License-Identifier: Apache-2.0

// Turbulence model of Smagorinsky (1963), with the strain rate from the cell's own non-equilibrium
// stress (Hou, Sterling, Chen & Doolen 1996): with P = sum c c (f - feq), |P| = sqrt(P:P),
//   tau = (tau_0 + sqrt(tau_0^2 + 18 sqrt(2) C_s^2 |P| / rho)) / 2.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/collision_spec.hpp"

namespace lbm {

template <class Real>
struct Turbulence {
  Real tau;
  Real factor;  // 18 sqrt(2) C_s^2

  static Turbulence of(const CollisionSpec& spec) {
    constexpr double sqrt_2 = 1.4142135623730951;
    return {static_cast<Real>(1 / spec.omega),
            static_cast<Real>(18 * sqrt_2 * spec.smagorinsky * spec.smagorinsky)};
  }
  LBM_HD bool any() const { return factor > 0; }

  // 1 / tau. laminar: without the model. p: P times Storage::scale; inverse: 1 / (rho scale).
  template <class T>
  LBM_HD T rate(const T& laminar, const Stress<T>& p, const T& inverse) const {
    if (!any()) return laminar;
    constexpr Real half = Real(0.5);
    const T off = multiply_add(p.xy, p.xy, multiply_add(p.xz, p.xz, multiply(p.yz, p.yz)));
    const T on = multiply_add(p.xx, p.xx, multiply_add(p.yy, p.yy, multiply(p.zz, p.zz)));
    const T size = square_root<T>(on + Real(2) * off);
    const T total =
        half *
        (tau + square_root<T>(multiply_add(multiply(factor, size), inverse, multiply(tau, tau))));
    return Real(1) / total;
  }
};

}  // namespace lbm
