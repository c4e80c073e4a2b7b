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

  template <class T, int size>
  LBM_HD void relax(const ten_moments::MomentSums<T>& sums, T (&stored)[size]) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const T inverse = unit / (Real(1) + sums.drho * unit);
    CellState<Real, T> s;
    s.drho = sums.drho;
    s.jx = plain ? sums.jx : sums.jx + half * force.x;
    s.jy = plain ? sums.jy : sums.jy + half * force.y;
    s.jz = plain ? sums.jz : sums.jz + half * force.z;
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
    ten_moments::MomentSums<T> after{s.drho, s.jx,  s.jy,  s.jz,  eq.xx,
                                     eq.yy,  eq.zz, eq.xy, eq.xz, eq.yz};
    T remaining = T{} + (Real(1) - omega);
    if constexpr (!plain) {
      add_force_stress(p, s, force);
      remaining = Real(1) - turbulence.rate(T{} + omega, p, inverse);
    }
    after.xx = multiply_add(remaining, p.xx, after.xx);
    after.yy = multiply_add(remaining, p.yy, after.yy);
    after.zz = multiply_add(remaining, p.zz, after.zz);
    after.xy = multiply_add(remaining, p.xy, after.xy);
    after.xz = multiply_add(remaining, p.xz, after.xz);
    after.yz = multiply_add(remaining, p.yz, after.yz);
    if constexpr (!plain) {
      Stress<T> work{after.xx, after.yy, after.zz, after.xy, after.xz, after.yz};
      add_force_stress(work, s, force);
      after = {s.drho,
               s.jx + half * force.x,
               s.jy + half * force.y,
               s.jz + half * force.z,
               work.xx,
               work.yy,
               work.zz,
               work.xy,
               work.xz,
               work.yz};
    }
    ten_moments::store<Real>(after, stored);
  }
};

}  // namespace lbm
