// SPDX-License-Identifier: Apache-2.0

// Regularised BGK: only the part of second order in velocities of the non-equilibrium populations
// is kept, and relaxes (Latt & Chopard, Math. Comput. Simul. 72 (2006) 165).
//
//   f_q <- feq_q + 9/2 w_q (c_q c_q - 1/3) : ((1 - omega) P + (u F + F u) / 2) + 3/2 w_q c_q.F
// P is stress_of(); the moments are those of BGK with the same force. With the filter of the
// stress: FilteredRegularised.
#pragma once

#include <algorithm>

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// The filter of the stress, which CollisionKind::regularised_filtered adds to `regularised`
// (docs/lab/method_regularised_walls.md).
//
// The stress N = sum_q c_q c_q f_q - (rho/3) I - J J / rho after the collision is averaged with the
// one of the step before in the same cell, N_old:
//   N <- (1 - s) N + s N_old,   s = max(0, 1 - tau)
// Below tau = 1 that is N <- (tau - 1) (P - N_old), where P is the stress before the collision:
// what the step has changed, which is proportional to the velocity gradient. So the stress of a
// uniform flow is gone after one step, where `regularised` turns its sign from step to step. A
// steady flow does not change. The shift of walls is in solver/boundary/conditions/wall_shift.hpp.
template <class Real>
struct StressFilter {
  Real share = 0;          // s
  double wall_offset = 0;  // see wall_shift.hpp

  static StressFilter of(const CollisionSpec& spec) {
    // The shift is unstable where it is large: above tau = 1.25 less and less of it is done, above
    // 2 nothing.
    const double tau = 1 / spec.omega, largest = std::max(2 - tau, 0.0);
    return {static_cast<Real>(std::max(1 - tau, 0.0)), std::min(2 * tau - 1.75, largest)};
  }
};

// Collisions that have one. They are called as collision(g, own): own(i) is the i-th value that
// Storage keeps of the same cell, before the step.
template <class Collision>
concept FiltersStress = Collision::filters_stress;

// Collides g, the incoming populations of a cell or of several.
template <class Collision, class T, int directions, class Own>
LBM_HD void collide_cell(const Collision& collision, T (&g)[directions], const Own& own) {
  if constexpr (FiltersStress<Collision>) {
    collision(g, own);
  } else {
    collision(g);
  }
}

// N of sums over populations after the collision; all times Storage::scale.
template <class Storage, class T>
LBM_HD Stress<T> nonequilibrium_stress(const ten_moments::MomentSums<T>& m) {
  using Real = typename Storage::Real;
  constexpr Real unit = 1 / Storage::scale;
  const T inverse = unit / (Real(1) + m.drho * unit);
  const T ux = multiply(m.jx, inverse), uy = multiply(m.jy, inverse), uz = multiply(m.jz, inverse);
  const T pressure = multiply(m.drho, Real(1.0 / 3));
  return {multiply_add(-m.jx, ux, m.xx - pressure),
          multiply_add(-m.jy, uy, m.yy - pressure),
          multiply_add(-m.jz, uz, m.zz - pressure),
          multiply_add(-m.jx, uy, m.xy),
          multiply_add(-m.jx, uz, m.xz),
          multiply_add(-m.jy, uz, m.yz)};
}

// (1 - s) N + s N_old. kept: 1 - 1/tau of each cell.
template <class Real, class T>
LBM_HD Stress<T> filtered_stress(const StressFilter<Real>& filter, const T& kept,
                                 const Stress<T>& p, const Stress<T>& old) {
  const T now = (Real(1) - filter.share) * kept;
  return for_each_component(p, old, [&](const T& before, const T& after) {
    return T(multiply_add(now, before, multiply(filter.share, after)));
  });
}

template <class Storage>
struct Regularised {
  using Real = typename Storage::Real;
  static constexpr CollisionKind kind = CollisionKind::regularised;
  static constexpr bool needs_stress = true, filters_stress = false, has_pair_pass = true;

  static Regularised of(const CollisionSpec&) { return {}; }

  template <class T>
  LBM_HD void relax(T (&g)[Storage::Set::directions], const CellState<Real, T>& s,
                    const Stress<T>& stress, const T& omega, const CellForce<Real>& force) const {
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
  LBM_HD static void replace(T (&g)[Storage::Set::directions], const CellState<Real, T>& s,
                             Stress<T> p, const CellForce<Real>& force) {
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
    for (int q = 1; q < Storage::Set::directions; q += 2) {
      const Real w = weight<typename Storage::Set, Real>(q);
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

// With the filter of the stress (regularised.hpp).
template <class Storage>
struct FilteredRegularised : Regularised<Storage> {
  using Real = typename Storage::Real;
  static constexpr CollisionKind kind = CollisionKind::regularised_filtered;
  static constexpr bool filters_stress = true, has_pair_pass = false;
  StressFilter<Real> filter;

  static FilteredRegularised of(const CollisionSpec& spec) {
    return {{}, StressFilter<Real>::of(spec)};
  }

  // old: N of the step before.
  template <class T>
  LBM_HD void relax(T (&g)[Storage::Set::directions], const CellState<Real, T>& s,
                    const Stress<T>& stress, const Stress<T>& old, const T& omega,
                    const CellForce<Real>& force) const {
    this->replace(g, s, filtered_stress(filter, T(Real(1) - omega), stress, old), force);
  }
};

}  // namespace lbm
