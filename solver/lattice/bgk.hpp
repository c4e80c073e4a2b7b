// Single-relaxation-time (BGK) collision on shifted populations g_q = f_q - w_q.
//
//   rho = 1 + sum g_q,   rho u = sum c_q g_q
//   f_q <- f_q - omega (f_q - feq_q)
//   feq_q = w_q rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2)
// (Qian et al. 1992; second-order equilibrium, c_s^2 = 1/3, viscosity nu = (1/omega - 1/2) / 3.)
// Opposite directions share their even and odd parts.
#pragma once

#include "solver/lattice/d3q19.hpp"

namespace lbm {

// Density and velocity of one cell, lattice units.
template <class Real>
struct Moments {
  Real rho, ux, uy, uz;
};

// Moments of the 19 shifted populations g.
template <class Real>
LBM_HD Moments<Real> moments_of(const Real (&g)[d3q19::directions]) {
  Real drho = g[0], jx = 0, jy = 0, jz = 0;
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; q += 2) {
    const Real sum = g[q] + g[q + 1], difference = g[q] - g[q + 1];
    drho += sum;
    if (d3q19::cx(q) != 0) jx += d3q19::cx(q) > 0 ? difference : -difference;
    if (d3q19::cy(q) != 0) jy += d3q19::cy(q) > 0 ? difference : -difference;
    if (d3q19::cz(q) != 0) jz += d3q19::cz(q) > 0 ? difference : -difference;
  }
  const Real rho = Real(1) + drho, inverse = Real(1) / rho;
  return {rho, jx * inverse, jy * inverse, jz * inverse};
}

// Even and odd part of the shifted equilibrium of the pair (q, opposite): feq_q - w_q = even + odd.
template <class Real>
LBM_HD void equilibrium_pair(const Moments<Real>& m, Real isotropic, int q, Real& even, Real& odd) {
  Real cu = 0;
  if (d3q19::cx(q) != 0) cu += d3q19::cx(q) > 0 ? m.ux : -m.ux;
  if (d3q19::cy(q) != 0) cu += d3q19::cy(q) > 0 ? m.uy : -m.uy;
  if (d3q19::cz(q) != 0) cu += d3q19::cz(q) > 0 ? m.uz : -m.uz;
  const Real w = d3q19::weight<Real>(q), rho_cu = m.rho * cu;
  even = w * (isotropic + Real(4.5) * rho_cu * cu);
  odd = w * (Real(3) * rho_cu);
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
    Real even, odd;
    equilibrium_pair(m, isotropic, q, even, odd);
    g[q] = even + odd;
    g[q + 1] = even - odd;
  }
}

template <class Real>
struct Bgk {
  Real omega;  // 1 / tau

  // Relaxes the shifted populations g in place.
  LBM_HD void operator()(Real (&g)[d3q19::directions]) const {
    const Moments<Real> m = moments_of(g);
    const Real isotropic = equilibrium_isotropic(m), keep = Real(1) - omega;
    g[0] = keep * g[0] + omega * (d3q19::weight<Real>(0) * isotropic);
    LBM_UNROLL
    for (int q = 1; q < d3q19::directions; q += 2) {
      Real even, odd;
      equilibrium_pair(m, isotropic, q, even, odd);
      g[q] = keep * g[q] + omega * (even + odd);
      g[q + 1] = keep * g[q + 1] + omega * (even - odd);
    }
  }
};

}  // namespace lbm
