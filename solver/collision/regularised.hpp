// Regularised BGK: what is not of the second order in velocities is dropped from the
// non-equilibrium part before it relaxes (Latt & Chopard, Math. Comput. Simul. 72 (2006) 165).
//
//   f_q <- feq_q + 9/2 w_q (c_q c_q - 1/3) : ((1 - omega) P + (u F + F u) / 2) + 3/2 w_q c_q.F
// with P of stress_of(); the moments are those of BGK with the same force.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

template <class Storage>
struct Regularised {
  using Real = typename Storage::Real;
  static constexpr bool needs_stress = true;

  static Regularised of(const CollisionSpec&) { return {}; }

  template <class T>
  LBM_HD void relax(T (&g)[d3q19::directions], const CellState<Real, T>& s, const Stress<T>& stress,
                    const T& omega, const CellForce<Real>& force) const {
    constexpr Real half = Real(0.5);
    const T keep = Real(1) - omega;
    Stress<T> p{keep * stress.xx, keep * stress.yy, keep * stress.zz,
                keep * stress.xy, keep * stress.xz, keep * stress.yz};
    T jx = s.jx, jy = s.jy, jz = s.jz;
    add_work(p, s, force);
    if (force.any) {
      jx += half * force.x;
      jy += half * force.y;
      jz += half * force.z;
    }
    // What all directions share: isotropic part and trace.
    const T shared = s.isotropic() - Real(1.5) * (p.xx + p.yy + p.zz);
    T moving{};  // sum of all but the rest population
    LBM_UNROLL
    for (int q = 1; q < d3q19::directions; q += 2) {
      const Real w = d3q19::weight<Real>(q);
      const T cu = dot_c(q, s.ux, s.uy, s.uz), cj = dot_c(q, s.jx, s.jy, s.jz);
      const T even = w * (shared + Real(4.5) * (cj * cu + contract_cc<Real>(q, p)));
      const T odd = w * (Real(3) * dot_c(q, jx, jy, jz));
      g[q] = even + odd;
      g[q + 1] = even - odd;
      moving += g[q] + g[q + 1];
    }
    // Not from its own formula: weights are rounded, and mass would drift.
    g[0] = s.drho - moving;
  }
};

}  // namespace lbm
