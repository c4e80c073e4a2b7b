// SPDX-License-Identifier: Apache-2.0

// Two relaxation times: even and odd parts of opposite populations relax at different rates.
//
//   Lambda = (1/omega - 1/2)(1/omega_odd - 1/2),  the "magic" parameter
// (Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 427.) Lambda = 3/16 puts the
// wall of a straight channel exactly half a cell outside, at any viscosity. Equal rates give BGK.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// The rate of odd moments for the one of even moments, omega.
template <class Real, class T>
LBM_HD T odd_rate(const T& omega, Real magic) {
  const T rest = Real(2) - omega;
  return Real(2) * rest / multiply_add(Real(4) * magic, omega, rest);
}

template <class Storage>
struct Trt {
  using Real = typename Storage::Real;
  static constexpr CollisionKind kind = CollisionKind::trt;
  static constexpr bool needs_stress = false, filters_stress = false, has_pair_pass = true;
  Real magic;  // 0: both rates the same

  static Trt of(const CollisionSpec& spec) {
    return {static_cast<Real>(spec.kind == CollisionKind::bgk ? 0 : spec.magic)};
  }

  // Relaxes g in place at the rate omega of the cell, and adds the source term of the force.
  template <class T>
  LBM_HD void relax(T (&g)[Storage::Set::directions], const CellState<Real, T>& s, const Stress<T>&,
                    const T& omega, const CellForce<Real>& force) const {
    constexpr Real half = Real(0.5);
    const T odd_omega = magic > 0 ? odd_rate<Real>(omega, magic) : omega;
    const T isotropic = s.isotropic();
    const T remaining_even = Real(1) - half * omega, remaining_odd = Real(1) - half * odd_omega;
    T three_uF{};
    if (force.any) {
      three_uF = multiply(
          Real(3),
          multiply_add(s.ux, force.x, multiply_add(s.uy, force.y, multiply(s.uz, force.z))));
    }
    constexpr Real rest_weight = weight<typename Storage::Set, Real>(0);
    g[0] = multiply_add(omega, multiply_add(rest_weight, isotropic, -g[0]), g[0]);
    if (force.any) g[0] = multiply_add(-remaining_even, multiply(rest_weight, three_uF), g[0]);
    LBM_UNROLL
    for (int q = 1; q < Storage::Set::directions; q += 2) {
      const Real w = weight<typename Storage::Set, Real>(q);
      const T cu = dot_c(q, s.ux, s.uy, s.uz);
      const T odd_equilibrium = multiply(w, multiply(Real(3), dot_c(q, s.jx, s.jy, s.jz)));
      const T even_equilibrium =
          multiply_add(Real(1.5), multiply(odd_equilibrium, cu), multiply(w, isotropic));
      T even = half * (g[q] + g[q + 1]), odd = half * (g[q] - g[q + 1]);
      even = multiply_add(omega, even_equilibrium - even, even);
      odd = multiply_add(odd_omega, odd_equilibrium - odd, odd);
      if (force.any) {
        const Real force_odd = multiply(w, multiply(Real(3), dot_c(q, force.x, force.y, force.z)));
        const T force_even = multiply_add(multiply(Real(3), force_odd), cu, -multiply(w, three_uF));
        even = multiply_add(remaining_even, force_even, even);
        odd = multiply_add(remaining_odd, force_odd, odd);
      }
      g[q] = even + odd;
      g[q + 1] = even - odd;
    }
  }
};

}  // namespace lbm
