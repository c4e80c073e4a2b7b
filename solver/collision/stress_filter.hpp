// SPDX-License-Identifier: Apache-2.0

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
#pragma once

#include <algorithm>

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

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
template <class Collision, class T, class Own>
LBM_HD void collide_cell(const Collision& collision, T (&g)[d3q19::directions], const Own& own) {
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
  const auto average = [&](const T& before, const T& after) {
    return T(multiply_add(now, before, multiply(filter.share, after)));
  };
  return {average(p.xx, old.xx), average(p.yy, old.yy), average(p.zz, old.zz),
          average(p.xy, old.xy), average(p.xz, old.xz), average(p.yz, old.yz)};
}

}  // namespace lbm
