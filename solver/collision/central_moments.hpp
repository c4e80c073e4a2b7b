// SPDX-License-Identifier: Apache-2.0

// Relaxation of central moments, those of the velocities c_q - u (De Rosis & Luo, Phys. Rev. E 99
// (2019) 013301, on D3Q19; body force as in Fei, Luo & Li, Phys. Rev. E 97 (2018) 053309).
//
// The 19 moments are sums of f_q times (c_x - u_x)^a (c_y - u_y)^b (c_z - u_z)^c with exponents up
// to 2, of which at most two are above 0. In equilibrium those of second order are rho/3, those of
// fourth order (xxyy, ...) rho/9, those of third order 0. A step relaxes their deviations N:
//   second order, without the trace:  1/tau
//   trace: 1, so that the bulk viscosity is 1/9
//   third order: the odd rate of TRT (trt.hpp), which places the walls, but not less than
//     CollisionSpec::least_odd_rate: at low viscosities slow odd moments are unstable
//   fourth order: 1, in a basis that is orthogonal to the lower orders under the lattice weights:
//     N_xxyy becomes (N_xx + N_yy) / 3 - N_zz / 6. With N_xxyy = 0 a fluid at rest is unstable at
//     low viscosities: waves grow by 0.4 % a step, because D3Q19 has no moments xyz and beyond.
//
// A cell cannot tell c_x^3 from c_x, so third moments xxx lack rho u_x^3: a shear wave along a
// diagonal would have a viscosity that depends on the stream. The term that takes this away needs
// du_x/dx, which the stress of the cell knows (Geier, Schoenherr, Pasquali & Krafczyk, Comput.
// Math. Appl. 70 (2015) 507):
//   N_xx  <-  N_xx - 3 rho (1 - omega/2) u_x^2 du_x/dx,   omega: the rate of the moment
// The moment xyz does not exist on D3Q19, so errors of order u_x u_y u_z stay.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/collision/trt.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// The state of a cell along one axis a.
template <class Real, class T>
struct AxisState {
  T j, u;           // rho u_a with F_a/2, u_a
  T before, after;  // N_aa before and after the collision
  Real half_force;  // F_a/2
};

// Moments of the four directions in the plane of two axes a and b.
template <class T>
struct PlaneMoments {
  T aab, abb, aabb;
};

template <class Storage>
struct CentralMoments {
  using Real = typename Storage::Real;
  static constexpr CollisionKind kind = CollisionKind::central_moments;
  static constexpr bool needs_stress = true, filters_stress = false, has_pair_pass = false;
  Real magic, least_odd_rate;

  static CentralMoments of(const CollisionSpec& spec) {
    return {static_cast<Real>(spec.magic), static_cast<Real>(spec.least_odd_rate)};
  }

  // Relaxes g in place. stress: N of second order, with the part of the force (stress_of()).
  template <class T>
  LBM_HD void relax(T (&g)[Storage::Set::directions], const CellState<Real, T>& s,
                    const Stress<T>& stress, const T& omega, const CellForce<Real>& force) const {
    constexpr Real half = Real(0.5);
    const Stress<T> n = relaxed_stress(stress, s, omega);
    const T least = T{} + least_odd_rate, by_magic = odd_rate<Real>(omega, magic);
    const T kept = Real(1) - (by_magic > least ? by_magic : least);
    const AxisState<Real, T> x{s.jx, s.ux, stress.xx, n.xx, half * force.x};
    const AxisState<Real, T> y{s.jy, s.uy, stress.yy, n.yy, half * force.y};
    const AxisState<Real, T> z{s.jz, s.uz, stress.zz, n.zz, half * force.z};
    constexpr Real third = Real(1.0 / 3);
    const T pressure = multiply(s.drho, third);
    const T of_trace = multiply(pressure + (n.xx + n.yy + n.zz), third);
    T moving{};  // sum of all but the rest population
    // q: of the direction (+1, +1) in the plane; q + 6: (+1, -1).
    const auto relax_plane = [&](int q, const AxisState<Real, T>& a, const AxisState<Real, T>& b,
                                 const AxisState<Real, T>& across, const T& before,
                                 const T& after) {
      const T same = g[q] - g[q + 1], other = g[q + 6] - g[q + 7];
      const PlaneMoments<T> m = relaxed_plane(a, b, before, after, T(same - other), T(same + other),
                                              T(of_trace - half * across.after), kept, force);
      T ab = multiply_add(a.j, b.u, after);
      if (force.any) ab += multiply_add(a.u, b.half_force, multiply(b.u, a.half_force));
      const T even_same = m.aabb + ab, even_other = m.aabb - ab;
      const T odd_same = m.abb + m.aab, odd_other = m.abb - m.aab;
      constexpr Real quarter = Real(0.25);
      g[q] = quarter * (even_same + odd_same);
      g[q + 1] = quarter * (even_same - odd_same);
      g[q + 6] = quarter * (even_other + odd_other);
      g[q + 7] = quarter * (even_other - odd_other);
      moving += (g[q] + g[q + 1]) + (g[q + 6] + g[q + 7]);
      return m;
    };
    const PlaneMoments<T> xy = relax_plane(7, x, y, z, stress.xy, n.xy);
    const PlaneMoments<T> xz = relax_plane(9, x, z, y, stress.xz, n.xz);
    const PlaneMoments<T> yz = relax_plane(11, y, z, x, stress.yz, n.yz);
    // even, odd: what the diagonals have of the moments aa and a.
    const auto relax_axis = [&](int q, const AxisState<Real, T>& a, const T& even, const T& odd) {
      T aa = multiply_add(a.j, a.u, a.after) + pressure;
      if (force.any) aa = multiply_add(Real(2) * a.half_force, a.u, aa);
      const T two_even = aa - even, two_odd = (a.j + a.half_force) - odd;
      g[q] = half * (two_even + two_odd);
      g[q + 1] = half * (two_even - two_odd);
      moving += g[q] + g[q + 1];
    };
    relax_axis(1, x, xy.aabb + xz.aabb, xy.abb + xz.abb);
    relax_axis(3, y, xy.aabb + yz.aabb, xy.aab + yz.abb);
    relax_axis(5, z, xz.aabb + yz.aabb, xz.aab + yz.aab);
    g[0] = s.drho - moving;  // conserves mass whatever was rounded
  }

 private:
  // N of second order after the collision.
  template <class T>
  LBM_HD static Stress<T> relaxed_stress(const Stress<T>& before, const CellState<Real, T>& s,
                                         const T& omega) {
    constexpr Real third = Real(1.0 / 3), half = Real(0.5);
    const T kept = Real(1) - omega;
    const T weight[3] = {multiply(Real(-1.5) * s.ux, s.ux), multiply(Real(-1.5) * s.uy, s.uy),
                         multiply(Real(-1.5) * s.uz, s.uz)};
    // 3 rho u_a^2 du_a/da with du_a/da = -((1 - omega) trace + 3 omega N_aa) / (2 rho).
    const auto lost_by = [&](const T& xx, const T& yy, const T& zz, T(&lost)[3]) {
      const T of_trace = multiply(kept, xx + yy + zz), rate = Real(3) * omega;
      lost[0] = multiply(weight[0], multiply_add(rate, xx, of_trace));
      lost[1] = multiply(weight[1], multiply_add(rate, yy, of_trace));
      lost[2] = multiply(weight[2], multiply_add(rate, zz, of_trace));
    };
    // Before the collision N contains half of this term, as of any source. With that half the
    // gradient would be wrong by the factor 1 - 9/4 omega u_a^2, so it is subtracted.
    T lost[3];
    lost_by(before.xx, before.yy, before.zz, lost);
    lost_by(before.xx - half * lost[0], before.yy - half * lost[1], before.zz - half * lost[2],
            lost);
    const T mean = multiply(before.xx + before.yy + before.zz, third);
    const T lost_mean = multiply(lost[0] + lost[1] + lost[2], third);
    const T factor = Real(1) - half * omega;
    const auto diagonal = [&](const T& n, const T& of_axis) {
      const T deviator = multiply_add(kept, n - mean, -multiply(factor, of_axis - lost_mean));
      return T(deviator - half * lost_mean);
    };
    return {diagonal(before.xx, lost[0]), diagonal(before.yy, lost[1]),
            diagonal(before.zz, lost[2]), multiply(kept, before.xy),
            multiply(kept, before.xz),    multiply(kept, before.yz)};
  }

  // before, after: N_ab. aab, abb: moments of the incoming populations.
  // central_aabb: the moment of c_q - u after the collision, less 1/9.
  template <class T>
  LBM_HD static PlaneMoments<T> relaxed_plane(const AxisState<Real, T>& a,
                                              const AxisState<Real, T>& b, const T& before,
                                              const T& after, const T& aab, const T& abb,
                                              const T& central_aabb, const T& kept,
                                              const CellForce<Real>& force) {
    constexpr Real third = Real(1.0 / 3);
    const T aa = multiply(a.u, a.u), bb = multiply(b.u, b.u), two_a = Real(2) * a.u;
    const T two_b = Real(2) * b.u;
    // The moments of the equilibrium; with a force also those of F/2 carried along.
    T equilibrium_aab = multiply(b.j, aa + third), equilibrium_abb = multiply(a.j, bb + third);
    const T product = multiply(two_a, b.u);
    T carried_aab{}, carried_abb{};
    if (force.any) {
      carried_aab = multiply_add(aa, b.half_force, multiply(product, a.half_force));
      carried_abb = multiply_add(bb, a.half_force, multiply(product, b.half_force));
    }
    // N of third order: before the collision, then after it.
    T n_aab = (aab - equilibrium_aab) - multiply_add(two_a, before, multiply(b.u, a.before));
    T n_abb = (abb - equilibrium_abb) - multiply_add(two_b, before, multiply(a.u, b.before));
    n_aab = multiply(kept, n_aab + carried_aab);
    n_abb = multiply(kept, n_abb + carried_abb);
    if (force.any) {
      const T source = multiply(third, Real(1) + kept);
      n_aab = multiply_add(source, b.half_force, n_aab);
      n_abb = multiply_add(source, a.half_force, n_abb);
    }
    // Back to moments of c_q.
    const T shifted_aab = n_aab + multiply_add(two_a, after, multiply(b.u, a.after));
    const T shifted_abb = n_abb + multiply_add(two_b, after, multiply(a.u, b.after));
    const T squares = multiply_add(bb, a.after, multiply(aa, b.after));
    const T fourth = multiply_add(two_b, n_aab, multiply_add(two_a, n_abb, squares));
    T aabb = multiply_add(Real(2) * product, after, fourth) + central_aabb;
    aabb = multiply_add(multiply(a.j, a.u), bb, aabb);
    aabb = multiply_add(third, multiply_add(a.j, a.u, multiply(b.j, b.u)), aabb);
    if (force.any) {
      aabb =
          multiply_add(product, multiply_add(a.u, b.half_force, multiply(b.u, a.half_force)), aabb);
    }
    return {T((equilibrium_aab + carried_aab) + shifted_aab),
            T((equilibrium_abb + carried_abb) + shifted_abb), aabb};
  }
};

}  // namespace lbm
