// Regularised collision at walls: what CollisionKind::regularised_filtered adds to `regularised` in
// cells whose populations a wall or a body reflects (docs/method_regularised_walls.md).
//
// The stress N = sum_q c_q c_q f_q - (rho/3) I - J J / rho after the collision is averaged with the
// one of the step before in the same cell:
//   N <- (1 - s) N + s N_old
// Without it a flow along a wall grows a mode that alternates from cell to cell and step to step. A
// steady flow does not change. The shift of the wall is in
// solver/boundary/conditions/wall_shift.hpp.
#pragma once

#include <algorithm>

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

template <class Real>
struct WallFilter {
  Real share = 0;     // s; 0: `regularised`, without filter and shift
  double offset = 0;  // of a wall, see wall_shift.hpp

  static WallFilter of(const CollisionSpec& spec) {
    if (spec.kind != CollisionKind::regularised_filtered) return {};
    // The shift is unstable where it is large: above tau = 1.25 less and less of it is done, above
    // 2 nothing.
    const double tau = 1 / spec.omega, largest = std::max(2 - tau, 0.0);
    return {Real(0.25), std::min(2 * tau - 1.75, largest)};
  }
  LBM_HD bool any() const { return share > 0; }
};

// Collisions that have one: those of regularised populations and moments.
template <class Collision>
concept FiltersWalls = requires(const Collision& collision) {
  collision.wall_filter();
};

// N of moments that are not divided, J and T after the collision; all times Storage::scale.
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

// Adds to the stress of stored populations or moments; density and momentum stay. p: times
// Storage::scale.
template <class Storage, class T>
LBM_HD void add_stress(T (&values)[d3q19::directions], const Stress<T>& p) {
  using Real = typename Storage::Real;
  const T trace = p.xx + p.yy + p.zz;
  if constexpr (holds_moments<Storage>) {
    using namespace ten_moments;
    values[isotropic] = multiply_add(Real(-1.5 / 36), trace, values[isotropic]);
    values[xx] = multiply_add(Real(0.125), p.xx, values[xx]);
    values[yy] = multiply_add(Real(0.125), p.yy, values[yy]);
    values[zz] = multiply_add(Real(0.125), p.zz, values[zz]);
    values[xy] = multiply_add(Real(0.25), p.xy, values[xy]);
    values[xz] = multiply_add(Real(0.25), p.xz, values[xz]);
    values[yz] = multiply_add(Real(0.25), p.yz, values[yz]);
  } else {
    T moving{};
    LBM_UNROLL
    for (int q = 1; q < d3q19::directions; q += 2) {
      const T quadratic =
          multiply_add(Real(4.5), contract_cc<Real>(q, p), multiply(Real(-1.5), trace));
      const T even = multiply(d3q19::weight<Real>(q), quadratic);
      values[q] += even;
      values[q + 1] += even;
      moving += even;
    }
    values[0] -= Real(2) * moving;
  }
}

// The moments of stored values.
template <class Storage, class T>
LBM_HD ten_moments::MomentSums<T> stored_sums(const T (&values)[d3q19::directions]) {
  if constexpr (holds_moments<Storage>) {
    return ten_moments::sums_of_stored<typename Storage::Real>(values);
  } else {
    return ten_moments::sums_of(values);
  }
}

// Averages the stress of stored values. old: N of the step before. share: s, of each cell.
template <class Storage, class T>
LBM_HD void filter_stress(T (&values)[d3q19::directions], const Stress<T>& old, const T& share) {
  const Stress<T> now = nonequilibrium_stress<Storage>(stored_sums<Storage>(values));
  add_stress<Storage>(values,
                      {multiply(share, T(old.xx - now.xx)), multiply(share, T(old.yy - now.yy)),
                       multiply(share, T(old.zz - now.zz)), multiply(share, T(old.xy - now.xy)),
                       multiply(share, T(old.xz - now.xz)), multiply(share, T(old.yz - now.yz))});
}

}  // namespace lbm
