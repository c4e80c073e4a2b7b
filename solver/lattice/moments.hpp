// SPDX-License-Identifier: Apache-2.0

// Density, velocity and equilibrium of shifted populations g_q = f_q - w_q.
//
//   rho = 1 + sum g_q,   rho u = sum c_q g_q
//   feq_q = w_q rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2)
// (Qian et al. 1992; second-order equilibrium, c_s^2 = 1/3.)
// Opposite directions share their even and odd parts.
#pragma once

#include "solver/lattice/d3q19.hpp"

namespace lbm {

// Density less 1 and velocity of one cell, lattice units. The pressure is drho / 3: creeping flows
// have a drho that would be lost in a density.
template <class Real>
struct Moments {
  Real drho, ux, uy, uz;

  LBM_HD Real rho() const { return 1 + drho; }
};

// Sums over the 19 shifted populations: rho - 1 and the momentum rho u.
template <class Real>
struct Sums {
  Real drho, jx, jy, jz;
};

template <class Real>
LBM_HD Sums<Real> density_momentum(const Real (&g)[d3q19::directions]) {
  static_assert(d3q19::cx(1) == 1 && d3q19::cy(3) == 1 && d3q19::cz(5) == 1, "axes come first");
  Sums<Real> s{g[0], g[1] - g[2], g[3] - g[4], g[5] - g[6]};
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; q += 2) {
    s.drho += g[q] + g[q + 1];
    if (q < 7) continue;
    const Real difference = g[q] - g[q + 1];
    if (d3q19::cx(q) != 0) s.jx += d3q19::cx(q) > 0 ? difference : -difference;
    if (d3q19::cy(q) != 0) s.jy += d3q19::cy(q) > 0 ? difference : -difference;
    if (d3q19::cz(q) != 0) s.jz += d3q19::cz(q) > 0 ? difference : -difference;
  }
  return s;
}

template <class Real>
LBM_HD Moments<Real> moments_of(const Real (&g)[d3q19::directions]) {
  const Sums<Real> s = density_momentum(g);
  const Real inverse = Real(1) / (Real(1) + s.drho);
  return {s.drho, s.jx * inverse, s.jy * inverse, s.jz * inverse};
}

// A force on a cell, or on several, per volume.
template <class T>
struct ForceVector {
  T x{}, y{}, z{};
};

// Moments of stored populations. The collision has added all of the body force to them, the
// velocity contains half of it (Guo, Zheng & Shi 2002). force: per volume, at that step.
template <class Real>
LBM_HD Moments<Real> stored_moments(const Sums<Real>& s, const ForceVector<double>& force) {
  const Real inverse = Real(1) / (Real(1) + s.drho);
  return {s.drho, (s.jx - static_cast<Real>(force.x / 2)) * inverse,
          (s.jy - static_cast<Real>(force.y / 2)) * inverse,
          (s.jz - static_cast<Real>(force.z / 2)) * inverse};
}

template <class Real>
LBM_HD Moments<Real> stored_moments(const Real (&g)[d3q19::directions],
                                    const ForceVector<double>& force) {
  return stored_moments(density_momentum(g), force);
}

// c_q . v
template <class Real>
LBM_HD Real dot_c(int q, Real vx, Real vy, Real vz) {
  const Real x = d3q19::cx(q) < 0 ? -vx : vx, y = d3q19::cy(q) < 0 ? -vy : vy;
  const Real z = d3q19::cz(q) < 0 ? -vz : vz;
  if (d3q19::cx(q) == 0 && d3q19::cy(q) == 0) return d3q19::cz(q) != 0 ? z : Real{};
  if (d3q19::cx(q) == 0) return d3q19::cz(q) != 0 ? y + z : y;
  if (d3q19::cy(q) == 0) return d3q19::cz(q) != 0 ? x + z : x;
  return x + y;  // no direction has three components
}

// rho - 1 - 3/2 rho u^2: the part common to all directions, before the weight.
template <class Real>
LBM_HD Real equilibrium_isotropic(const Moments<Real>& m) {
  return m.drho - Real(1.5) * m.rho() * (m.ux * m.ux + m.uy * m.uy + m.uz * m.uz);
}

// Shifted equilibrium feq_q - w_q of all directions.
template <class Real>
LBM_HD void equilibrium(const Moments<Real>& m, Real (&g)[d3q19::directions]) {
  const Real isotropic = equilibrium_isotropic(m);
  g[0] = d3q19::weight<Real>(0) * isotropic;
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; q += 2) {
    const Real cu = dot_c(q, m.ux, m.uy, m.uz), w = d3q19::weight<Real>(q), rho_cu = m.rho() * cu;
    const Real even = w * (isotropic + Real(4.5) * rho_cu * cu), odd = w * (Real(3) * rho_cu);
    g[q] = even + odd;
    g[q + 1] = even - odd;
  }
}

}  // namespace lbm
