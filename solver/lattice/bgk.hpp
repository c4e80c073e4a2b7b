// Single-relaxation-time (BGK) collision on shifted populations g_q = f_q - w_q.
//
//   rho = 1 + sum g_q,   rho u = sum c_q g_q
//   f_q <- f_q - omega (f_q - feq_q)
//   feq_q = w_q rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2)
// (Qian et al. 1992; second-order equilibrium, c_s^2 = 1/3, viscosity nu = (1/omega - 1/2) / 3.)
// Opposite directions share their even and odd parts.
#pragma once

#include "solver/lattice/d3q19.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// Density and velocity of one cell, lattice units.
template <class Real>
struct Moments {
  Real rho, ux, uy, uz;
};

// Moments of the 19 shifted populations g, which are given as multiples of `unit`.
template <class Real>
LBM_HD Moments<Real> moments_of(const Real (&g)[d3q19::directions], Real unit = 1) {
  Real drho = g[0], jx = 0, jy = 0, jz = 0;
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; q += 2) {
    const Real sum = g[q] + g[q + 1], difference = g[q] - g[q + 1];
    drho += sum;
    if (d3q19::cx(q) != 0) jx += d3q19::cx(q) > 0 ? difference : -difference;
    if (d3q19::cy(q) != 0) jy += d3q19::cy(q) > 0 ? difference : -difference;
    if (d3q19::cz(q) != 0) jz += d3q19::cz(q) > 0 ? difference : -difference;
  }
  const Real rho = Real(1) + drho * unit, inverse = unit / rho;
  return {rho, jx * inverse, jy * inverse, jz * inverse};
}

// c_q . u
template <class Real>
LBM_HD Real project(const Moments<Real>& m, int q) {
  Real cu = 0;
  if (d3q19::cx(q) != 0) cu += d3q19::cx(q) > 0 ? m.ux : -m.ux;
  if (d3q19::cy(q) != 0) cu += d3q19::cy(q) > 0 ? m.uy : -m.uy;
  if (d3q19::cz(q) != 0) cu += d3q19::cz(q) > 0 ? m.uz : -m.uz;
  return cu;
}

// rho - 1 - 3/2 rho u^2: what all directions share, before the weight.
template <class Real>
LBM_HD Real equilibrium_isotropic(const Moments<Real>& m) {
  return (m.rho - Real(1)) - Real(1.5) * m.rho * (m.ux * m.ux + m.uy * m.uy + m.uz * m.uz);
}

// Shifted equilibrium feq_q - w_q of all directions.
template <class Real>
LBM_HD void equilibrium(const Moments<Real>& m, Real (&g)[d3q19::directions]) {
  const Real isotropic = equilibrium_isotropic(m);
  g[0] = d3q19::weight<Real>(0) * isotropic;
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; q += 2) {
    const Real cu = project(m, q), w = d3q19::weight<Real>(q), rho_cu = m.rho * cu;
    const Real even = w * (isotropic + Real(4.5) * rho_cu * cu), odd = w * (Real(3) * rho_cu);
    g[q] = even + odd;
    g[q + 1] = even - odd;
  }
}

// Works on populations times Storage::scale (storage.hpp). The factors that all directions of a
// weight share are computed once: those of the diagonal directions, with half the weight, are half
// of those of the axes.
template <class Storage>
struct Bgk {
  using Real = typename Storage::Real;
  Real omega;  // 1 / tau

  // Relaxes the shifted populations g in place.
  LBM_HD void operator()(Real (&g)[d3q19::directions]) const {
    constexpr Real scale = Storage::scale, axis_weight = d3q19::weight<Real>(1);
    const Moments<Real> m = moments_of(g, 1 / scale);
    const Real isotropic = equilibrium_isotropic(m), keep = Real(1) - omega;
    const Real relax = omega * (axis_weight * scale);
    const Real constant[] = {relax * isotropic, Real(0.5) * relax * isotropic};
    const Real linear[] = {Real(3) * relax * m.rho, Real(1.5) * relax * m.rho};
    const Real square[] = {Real(1.5) * linear[0], Real(1.5) * linear[1]};
    g[0] = keep * g[0] + omega * (d3q19::weight<Real>(0) * scale) * isotropic;
    LBM_UNROLL
    for (int q = 1; q < d3q19::directions; q += 2) {
      const int half = d3q19::weight<Real>(q) == axis_weight ? 0 : 1;
      const Real cu = project(m, q);
      const Real even = constant[half] + square[half] * cu * cu, odd = linear[half] * cu;
      g[q] = keep * g[q] + (even + odd);
      g[q + 1] = keep * g[q + 1] + (even - odd);
    }
  }
};

}  // namespace lbm
