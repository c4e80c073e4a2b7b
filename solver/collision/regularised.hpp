// SPDX-License-Identifier: Apache-2.0

// Regularised BGK: only the part of second order in velocities of the non-equilibrium populations
// is kept, and relaxes (Latt & Chopard, Math. Comput. Simul. 72 (2006) 165).
//
//   f_q <- feq_q + 9/2 w_q (c_q c_q - 1/3) : ((1 - omega) P + (u F + F u) / 2) + 3/2 w_q c_q.F
// P is stress_of(); the moments are those of BGK with the same force.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/collision/stress_filter.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

template <class Storage>
struct Regularised {
  using Real = typename Storage::Real;
  static constexpr bool needs_stress = true, filters_stress = false;

  static Regularised of(const CollisionSpec&) { return {}; }

  template <class T>
  LBM_HD void relax(T (&g)[d3q19::directions], const CellState<Real, T>& s, const Stress<T>& stress,
                    const T& omega, const CellForce<Real>& force) const {
    const T remaining = Real(1) - omega;
    replace(g, s,
            {multiply(remaining, stress.xx), multiply(remaining, stress.yy),
             multiply(remaining, stress.zz), multiply(remaining, stress.xy),
             multiply(remaining, stress.xz), multiply(remaining, stress.yz)},
            force);
  }

 protected:
  // p: (1 - omega) P.
  template <class T>
  LBM_HD static void replace(T (&g)[d3q19::directions], const CellState<Real, T>& s, Stress<T> p,
                             const CellForce<Real>& force) {
    constexpr Real half = Real(0.5);
    T jx = s.jx, jy = s.jy, jz = s.jz;
    add_force_stress(p, s, force);
    if (force.any) {
      jx += half * force.x;
      jy += half * force.y;
      jz += half * force.z;
    }
    // Common to all directions: isotropic part and trace.
    const T shared = multiply_add(Real(-1.5), p.xx + p.yy + p.zz, s.isotropic());
    T moving{};  // sum of all but the rest population
    LBM_UNROLL
    for (int q = 1; q < d3q19::directions; q += 2) {
      const Real w = d3q19::weight<Real>(q);
      const T cu = dot_c(q, s.ux, s.uy, s.uz), cj = dot_c(q, s.jx, s.jy, s.jz);
      const T quadratic = multiply_add(cj, cu, contract_cc<Real>(q, p));
      const T even = multiply(w, multiply_add(Real(4.5), quadratic, shared));
      const T odd = multiply(w, multiply(Real(3), dot_c(q, jx, jy, jz)));
      g[q] = even + odd;
      g[q + 1] = even - odd;
      moving += g[q] + g[q + 1];
    }
    // By conservation of mass: with the formula above, mass would drift, because weights are
    // rounded.
    g[0] = s.drho - moving;
  }
};

// With the filter of the stress (stress_filter.hpp).
template <class Storage>
struct FilteredRegularised : Regularised<Storage> {
  using Real = typename Storage::Real;
  static constexpr bool filters_stress = true;
  StressFilter<Real> filter;

  static FilteredRegularised of(const CollisionSpec& spec) {
    return {{}, StressFilter<Real>::of(spec)};
  }

  // old: N of the step before.
  template <class T>
  LBM_HD void relax(T (&g)[d3q19::directions], const CellState<Real, T>& s, const Stress<T>& stress,
                    const Stress<T>& old, const T& omega, const CellForce<Real>& force) const {
    this->replace(g, s, filtered_stress(filter, T(Real(1) - omega), stress, old), force);
  }
};

}  // namespace lbm
