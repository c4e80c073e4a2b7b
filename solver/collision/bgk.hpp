// SPDX-License-Identifier: Apache-2.0

// Single-relaxation-time (BGK) collision, without body force or turbulence model: the fast path.
//
//   f_q <- f_q - omega (f_q - feq_q),   viscosity nu = (1/omega - 1/2) / 3
// (Bhatnagar, Gross & Krook 1954; Qian et al. 1992.)
#pragma once

#include "solver/core/host_device.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// Works on populations times Storage::scale (storage.hpp). With rho u = j the equilibrium of the
// pair (q, opposite) is feq - w = even +- odd,
//   odd = 3 w (c.j),   even = w (rho - 1 - 3/2 j.u) + odd 3/2 (c.u),
// Directions of the same weight share the factors. The weights of diagonals are those of axes times
// a power of two, so are their factors, exactly. omega multiplies j, not a constant: a constant
// would be rounded the same way in every cell and step, and momentum would drift.
template <class Storage>
struct Bgk {
  using Real = typename Storage::Real;
  static constexpr bool has_pair_pass = true;
  Real omega;  // 1 / tau

  static Bgk of(const CollisionSpec& spec, double) { return {static_cast<Real>(spec.omega)}; }

  // Relaxes the shifted populations g in place: of one cell, T = Real, or of several, T a vector.
  template <class T>
  LBM_HD void operator()(T (&g)[Storage::Set::directions]) const {
    constexpr Real unit = 1 / Storage::scale;
    using Set = typename Storage::Set;
    constexpr Real rest = weight<Set, Real>(0), axis = weight<Set, Real>(1);
    const Sums<T> s = density_momentum(g);
    const T inverse = (Real(1.5) * unit) / (Real(1) + s.drho * unit);
    // 3/2 u
    const T ux = multiply(s.jx, inverse), uy = multiply(s.jy, inverse);
    const T uz = multiply(s.jz, inverse);
    const T energy = multiply_add(s.jx, ux, multiply_add(s.jy, uy, multiply(s.jz, uz)));
    const T isotropic = multiply(omega, s.drho - energy);
    const T vx =
        multiply(axis, multiply(Real(3), multiply(omega, s.jx)));  // omega odd, of the axes
    const T vy = multiply(axis, multiply(Real(3), multiply(omega, s.jy)));
    const T vz = multiply(axis, multiply(Real(3), multiply(omega, s.jz)));
    const T on_axis = multiply(axis, isotropic);
    const Real remaining = Real(1) - omega;
    g[0] = multiply_add(remaining, g[0], multiply(rest, isotropic));
    LBM_UNROLL
    for (int q = 1; q < Storage::Set::directions; q += 2) {
      const Real share = weight<Set, Real>(q) / axis;  // a power of two
      const bool diagonal = share != 1;
      const T odd = diagonal ? dot_c(q, share * vx, share * vy, share * vz) : dot_c(q, vx, vy, vz);
      const T even = multiply_add(odd, dot_c(q, ux, uy, uz), diagonal ? share * on_axis : on_axis);
      g[q] = multiply_add(remaining, g[q], even + odd);
      g[q + 1] = multiply_add(remaining, g[q + 1], even - odd);
    }
  }
};

}  // namespace lbm
