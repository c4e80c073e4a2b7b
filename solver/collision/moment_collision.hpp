// Regularised collision of cells that are stored as ten moments (solver/lattice/ten_moments.hpp).
//
//   T <- rho u u + (1 - omega) P + (u F + F u) / 2,   J <- J + F
// P and omega as in general_collision.hpp; the same as Regularised but for rounding.
#pragma once

#include "solver/collision/general_collision.hpp"
#include "solver/collision/wall_filter.hpp"
#include "solver/lattice/ten_moments.hpp"

namespace lbm {

// plain: without body force and turbulence model.
template <class Storage, bool plain>
struct MomentCollision {
  using Real = typename Storage::Real;
  Real omega;  // 1 / tau_0
  Turbulence<Real> turbulence;
  CellForce<Real> force;
  WallFilter<Real> filter;

  // step: at the end of the update; the body force is the one at that time.
  static MomentCollision of(const CollisionSpec& spec, double step) {
    return {static_cast<Real>(spec.omega), Turbulence<Real>::of(spec),
            cell_force<Storage>(spec, step), WallFilter<Real>::of(spec)};
  }
  LBM_HD const WallFilter<Real>& wall_filter() const { return filter; }

  // g: the incoming populations of one cell, or of several; becomes the ten stored moments.
  template <class T>
  LBM_HD void operator()(T (&g)[d3q19::directions]) const {
    relax(ten_moments::sums_of(g), g);
  }

  // The stored moments after the collision, from the sums over incoming populations.
  template <class T, int size>
  LBM_HD void relax(const ten_moments::MomentSums<T>& sums, T (&stored)[size]) const {
    if constexpr (plain) {
      relax_plain(sums, stored);
    } else {
      relax_general(sums, stored);
    }
  }

 private:
  // The stress in the units that it is stored in, T_aa / 8 and T_ab / 4: fewer products.
  template <class T, int size>
  LBM_HD void relax_plain(const ten_moments::MomentSums<T>& m, T (&stored)[size]) const {
    using namespace ten_moments;
    // u / 8, with a density that is multiplied by Storage::scale as J is.
    const T inverse = reciprocal<Real>(multiply_add(Real(8), m.drho, T{} + 8 * Storage::scale));
    const T ux = multiply(m.jx, inverse), uy = multiply(m.jy, inverse),
            uz = multiply(m.jz, inverse);
    const T jx2 = m.jx + m.jx, jy2 = m.jy + m.jy;
    const T pressure = multiply(m.drho, Real(1.0 / 3) * Real(0.125));
    const Real remaining = Real(1) - omega;
    const auto along_axis = [&](const T& sum, const T& j, const T& u) {
      const T eq = multiply(j, u);
      return T(multiply_add(remaining, T(multiply_add(Real(0.125), sum, T(-pressure)) - eq), eq));
    };
    const auto across = [&](const T& sum, const T& j2, const T& u) {
      const T eq = multiply(j2, u);
      return T(multiply_add(remaining, T(multiply_add(Real(0.25), sum, T(-eq))), eq));
    };
    const T txx = along_axis(m.xx, m.jx, ux), tyy = along_axis(m.yy, m.jy, uy),
            tzz = along_axis(m.zz, m.jz, uz);
    const T txy = across(m.xy, jx2, uy), txz = across(m.xz, jx2, uz), tyz = across(m.yz, jy2, uz);
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
  LBM_HD void relax_general(const ten_moments::MomentSums<T>& sums, T (&stored)[size]) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const T inverse = unit * reciprocal<Real>(T(Real(1) + sums.drho * unit));
    CellState<Real, T> s;
    s.drho = sums.drho;
    s.jx = sums.jx + half * force.x;
    s.jy = sums.jy + half * force.y;
    s.jz = sums.jz + half * force.z;
    s.ux = multiply(s.jx, inverse);
    s.uy = multiply(s.jy, inverse);
    s.uz = multiply(s.jz, inverse);
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
    const T remaining = Real(1) - turbulence.rate(T{} + omega, p, inverse);
    Stress<T> after{multiply_add(remaining, p.xx, eq.xx), multiply_add(remaining, p.yy, eq.yy),
                    multiply_add(remaining, p.zz, eq.zz), multiply_add(remaining, p.xy, eq.xy),
                    multiply_add(remaining, p.xz, eq.xz), multiply_add(remaining, p.yz, eq.yz)};
    add_force_stress(after, s, force);
    ten_moments::store<Real>(
        ten_moments::MomentSums<T>{s.drho, s.jx + half * force.x, s.jy + half * force.y,
                                   s.jz + half * force.z, after.xx, after.yy, after.zz, after.xy,
                                   after.xz, after.yz},
        stored);
  }
};

}  // namespace lbm
