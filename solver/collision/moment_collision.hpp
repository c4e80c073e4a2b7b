// SPDX-License-Identifier: Apache-2.0

// Regularised collision of cells that are stored as ten moments (solver/lattice/moments.hpp).
//
//   T <- rho u u + (1 - omega) P + (u F + F u) / 2,   J <- J + F
// P and omega as in general_collision.hpp; the same as Regularised but for rounding. With the
// filter of the stress (regularised.hpp): (1 - s) (1 - omega) P + s N_old in place of the second
// term.
#pragma once

#include "solver/collision/general_collision.hpp"
#include "solver/collision/regularised.hpp"
#include "solver/lattice/moments.hpp"

namespace lbm {

// plain: without body force and turbulence model. filtered: with the filter of the stress.
template <class Storage, bool plain, bool filtered>
struct MomentCollision {
  using Real = typename Storage::Real;
  static constexpr bool filters_stress = filtered;
  static constexpr bool has_pair_pass = true;
  Real omega;  // 1 / tau_0
  Turbulence<Real> turbulence;
  CellForce<Real> force;
  StressFilter<Real> stress_filter;

  // step: at the end of the update; the body force is the one at that time.
  static MomentCollision of(const CollisionSpec& spec, double step) {
    return {static_cast<Real>(spec.omega), Turbulence<Real>::of(spec),
            cell_force<Storage>(spec, step), StressFilter<Real>::of(spec)};
  }

  // g: the incoming populations of one cell, or of several; becomes the ten stored moments. own:
  // see FiltersStress.
  template <class T>
  LBM_HD void operator()(T (&g)[Storage::Set::directions]) const requires(!filtered) {
    relax(ten_moments::sums_of(g), Stress<T>{}, g);
  }
  template <class T, class Own>
  LBM_HD void operator()(T (&g)[Storage::Set::directions], const Own& own) const requires filtered {
    relax(ten_moments::sums_of(g), old_stress<T>(own), g);
  }

  // The stored moments after the collision, from the sums over incoming populations. old: where
  // filtered, old_stress() of the cell before the step; else not used.
  template <class T, int size>
  LBM_HD void relax(const ten_moments::MomentSums<T>& sums, const Stress<T>& old,
                    T (&stored)[size]) const {
    if constexpr (plain) {
      relax_plain(sums, old, stored);
    } else {
      relax_general(sums, old, stored);
    }
  }

  // N of stored moments, in the units that they are stored in.
  template <class T, class Own>
  LBM_HD static Stress<T> old_stress(const Own& own) {
    using namespace ten_moments;
    const auto s = density_momentum<Real>(own);
    const T inverse = reciprocal<Real>(multiply_add(Real(8), s.drho, T{} + 8 * Storage::scale));
    const T ux = multiply(s.jx, inverse), uy = multiply(s.jy, inverse),
            uz = multiply(s.jz, inverse);
    const T jx2 = s.jx + s.jx, jy2 = s.jy + s.jy;
    return {multiply_add(-s.jx, ux, own(xx)), multiply_add(-s.jy, uy, own(yy)),
            multiply_add(-s.jz, uz, own(zz)), multiply_add(-jx2, uy, own(xy)),
            multiply_add(-jx2, uz, own(xz)),  multiply_add(-jy2, uz, own(yz))};
  }

 private:
  // The stress in the units that it is stored in, T_aa / 8 and T_ab / 4: fewer products.
  template <class T, int size>
  LBM_HD void relax_plain(const ten_moments::MomentSums<T>& m, const Stress<T>& old,
                          T (&stored)[size]) const {
    using namespace ten_moments;
    // u / 8, with a density that is multiplied by Storage::scale as J is.
    const T inverse = reciprocal<Real>(multiply_add(Real(8), m.drho, T{} + 8 * Storage::scale));
    const T ux = multiply(m.jx, inverse), uy = multiply(m.jy, inverse),
            uz = multiply(m.jz, inverse);
    const T jx2 = m.jx + m.jx, jy2 = m.jy + m.jy;
    const T pressure = multiply(m.drho, Real(1.0 / 3) * Real(0.125));
    const Real remaining =
        filtered ? (Real(1) - stress_filter.share) * (Real(1) - omega) : Real(1) - omega;
    // Equilibrium stress, plus the share of the old non-equilibrium stress that the filter keeps.
    const auto kept = [&](const T& eq, const T& before) {
      if constexpr (filtered) {
        return T(multiply_add(stress_filter.share, before, eq));
      } else {
        return eq;
      }
    };
    const auto along_axis = [&](const T& sum, const T& j, const T& u, const T& before) {
      const T eq = multiply(j, u);
      return T(multiply_add(remaining, T(multiply_add(Real(0.125), sum, T(-pressure)) - eq),
                            kept(eq, before)));
    };
    const auto across = [&](const T& sum, const T& j2, const T& u, const T& before) {
      const T eq = multiply(j2, u);
      return T(multiply_add(remaining, T(multiply_add(Real(0.25), sum, T(-eq))), kept(eq, before)));
    };
    const T txx = along_axis(m.xx, m.jx, ux, old.xx), tyy = along_axis(m.yy, m.jy, uy, old.yy),
            tzz = along_axis(m.zz, m.jz, uz, old.zz);
    const T txy = across(m.xy, jx2, uy, old.xy), txz = across(m.xz, jx2, uz, old.xz),
            tyz = across(m.yz, jy2, uz, old.yz);
    stored[isotropic] = divided<Real>(T(multiply_add(Real(-12), T(txx + tyy + tzz), m.drho)), 36);
    stored[jx] = divided<Real>(m.jx, 12);
    stored[jy] = divided<Real>(m.jy, 12);
    stored[jz] = divided<Real>(m.jz, 12);
    stored[xx] = txx;
    stored[yy] = tyy;
    stored[zz] = tzz;
    stored[xy] = txy;
    stored[xz] = txz;
    stored[yz] = tyz;
  }

  template <class T, int size>
  LBM_HD void relax_general(const ten_moments::MomentSums<T>& sums, const Stress<T>& old,
                            T (&stored)[size]) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const T inverse = unit * reciprocal<Real>(T(Real(1) + sums.drho * unit));
    const CellState<Real, T> s = cell_state(sums, force, inverse);
    const T pressure = multiply(sums.drho, Real(1.0 / 3));
    // T of the equilibrium, and P.
    const Stress<T> eq{multiply(s.jx, s.ux), multiply(s.jy, s.uy), multiply(s.jz, s.uz),
                       multiply(s.jx, s.uy), multiply(s.jx, s.uz), multiply(s.jy, s.uz)};
    Stress<T> p{(sums.xx - pressure) - eq.xx,
                (sums.yy - pressure) - eq.yy,
                (sums.zz - pressure) - eq.zz,
                sums.xy - eq.xy,
                sums.xz - eq.xz,
                sums.yz - eq.yz};
    add_force_stress(p, s, force);
    T remaining = Real(1) - turbulence.rate(T{} + omega, p, inverse);
    Stress<T> kept = eq;
    if constexpr (filtered) {
      remaining *= Real(1) - stress_filter.share;
      const auto add = [&](T& sum, Real factor, const T& n) {
        sum = multiply_add(factor * stress_filter.share, n, sum);
      };
      add(kept.xx, 8, old.xx);
      add(kept.yy, 8, old.yy);
      add(kept.zz, 8, old.zz);
      add(kept.xy, 4, old.xy);
      add(kept.xz, 4, old.xz);
      add(kept.yz, 4, old.yz);
    }
    Stress<T> after = for_each_component(p, kept, [&](const T& now, const T& rest) {
      return T(multiply_add(remaining, now, rest));
    });
    add_force_stress(after, s, force);
    ten_moments::store<Real>(
        ten_moments::MomentSums<T>{s.drho, s.jx + half * force.x, s.jy + half * force.y,
                                   s.jz + half * force.z, after.xx, after.yy, after.zz, after.xy,
                                   after.xz, after.yz},
        stored);
  }
};

}  // namespace lbm
