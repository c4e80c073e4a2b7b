// SPDX-License-Identifier: Apache-2.0

// Density, velocity and equilibrium of shifted populations g_q = f_q - w_q.
//
//   rho = 1 + sum g_q,   rho u = sum c_q g_q
//   feq_q = w_q rho (1 + 3 c.u + 9/2 (c.u)^2 - 3/2 u^2)
// (Qian et al. 1992; second-order equilibrium, c_s^2 = 1/3.) Central moments and cumulants relax to
// maxwell_equilibrium() instead.
// Opposite directions share their even and odd parts.
#pragma once

#include <type_traits>

#include "solver/core/host_device.hpp"
#include "solver/lattice/plane_layout.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm {

// Density less 1 and velocity of one cell, lattice units. The pressure is drho / 3: creeping flows
// have a drho that would be lost in a density.
template <class Real>
struct Moments {
  Real drho, ux, uy, uz;

  LBM_HD Real rho() const { return 1 + drho; }
};

// Sums over the shifted populations: rho - 1 and the momentum rho u.
template <class Real>
struct Sums {
  Real drho, jx, jy, jz;
};

template <class Real, int directions>
LBM_HD Sums<Real> density_momentum(const Real (&g)[directions]) {
  static_assert(cx(1) == 1 && cy(3) == 1 && cz(5) == 1, "axes come first");
  Sums<Real> s{g[0], g[1] - g[2], g[3] - g[4], g[5] - g[6]};
  LBM_UNROLL
  for (int q = 1; q < directions; q += 2) {
    s.drho += g[q] + g[q + 1];
    if (q < 7) continue;
    const Real difference = g[q] - g[q + 1];
    if (cx(q) != 0) s.jx += cx(q) > 0 ? difference : -difference;
    if (cy(q) != 0) s.jy += cy(q) > 0 ? difference : -difference;
    if (cz(q) != 0) s.jz += cz(q) > 0 ? difference : -difference;
  }
  return s;
}

template <class Real, int directions>
LBM_HD Moments<Real> moments_of(const Real (&g)[directions]) {
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

template <class Real, int directions>
LBM_HD Moments<Real> stored_moments(const Real (&g)[directions], const ForceVector<double>& force) {
  return stored_moments(density_momentum(g), force);
}

// c_q . v
template <class Real>
LBM_HD Real dot_c(int q, Real vx, Real vy, Real vz) {
  const Real x = cx(q) < 0 ? -vx : vx, y = cy(q) < 0 ? -vy : vy;
  const Real z = cz(q) < 0 ? -vz : vz;
  if (cx(q) == 0 && cy(q) == 0) return cz(q) != 0 ? z : Real{};
  if (cx(q) == 0) return cz(q) != 0 ? y + z : y;
  if (cy(q) == 0) return cz(q) != 0 ? x + z : x;
  return cz(q) != 0 ? (x + y) + z : x + y;
}

// rho - 1 - 3/2 rho u^2: the part common to all directions, before the weight.
template <class Real>
LBM_HD Real equilibrium_isotropic(const Moments<Real>& m) {
  return m.drho - Real(1.5) * m.rho() * (m.ux * m.ux + m.uy * m.uy + m.uz * m.uz);
}

// Shifted equilibrium feq_q - w_q of all directions.
template <class Real, int directions>
LBM_HD void equilibrium(const Moments<Real>& m, Real (&g)[directions]) {
  using Set = typename SetOf<directions>::Set;
  const Real isotropic = equilibrium_isotropic(m);
  g[0] = weight<Set, Real>(0) * isotropic;
  LBM_UNROLL
  for (int q = 1; q < directions; q += 2) {
    const Real cu = dot_c(q, m.ux, m.uy, m.uz), w = weight<Set, Real>(q), rho_cu = m.rho() * cu;
    const Real even = w * (isotropic + Real(4.5) * rho_cu * cu), odd = w * (Real(3) * rho_cu);
    g[q] = even + odd;
    g[q + 1] = even - odd;
  }
}

// Equilibrium feq_q = w_q rho (1 + even + 3 odd): the parts that are equal and opposite in the
// opposite direction. Second-order equilibrium: odd = c_q . u.
template <class Real>
struct EquilibriumParts {
  Real even, odd;
};

// The equilibrium of Maxwell, of central moments and cumulants: a product of one factor an axis,
//   1 + even + 3 odd = product of 1 + 3 c_a u_a + 3 u_a^2 over the axes a along c_q, and
//   D3Q27: of 1 - 3/2 u_b^2 over those across c_q
//   D3Q19, c_q along an axis: 1 - 3 (u_b^2 + u_c^2), b and c across it
// c: not that of rest.
template <class Set, class Real>
LBM_HD EquilibriumParts<Real> maxwell(const int (&c)[3], const Real (&u)[3]) {
  EquilibriumParts<Real> product{};
  const auto multiply_by = [&product](Real even, Real odd) {
    product = {product.even + even + product.even * even + Real(9) * product.odd * odd,
               product.odd + odd + product.odd * even + product.even * odd};
  };
  Real across = 0;
  int axes = 0;
  for (int a = 0; a < 3; ++a) {
    const Real square = u[a] * u[a];
    if (c[a] != 0) {
      multiply_by(Real(3) * square, static_cast<Real>(c[a]) * u[a]);
      ++axes;
    } else if constexpr (Set::directions == 27) {
      multiply_by(Real(-1.5) * square, 0);
    } else {
      across += square;
    }
  }
  if (Set::directions == 19 && axes == 1) multiply_by(Real(-3) * across, 0);
  return product;
}

// Shifted Maxwell equilibrium of all directions.
template <class Real, int directions>
LBM_HD void maxwell_equilibrium(const Moments<Real>& m, Real (&g)[directions]) {
  using Set = typename SetOf<directions>::Set;
  const Real u[3] = {m.ux, m.uy, m.uz};
  g[0] = m.drho;
  LBM_UNROLL
  for (int q = 1; q < directions; ++q) {
    const auto parts = maxwell<Set>(direction(q).c, u);
    g[q] = weight<Set, Real>(q) * (m.drho + m.rho() * (parts.even + Real(3) * parts.odd));
    g[0] -= g[q];
  }
}

}  // namespace lbm

namespace lbm::ten_moments {

// Ten moments of a cell in place of its 19 populations: D3Q19 alone has them.
//
// Populations whose non-equilibrium part is of second order in the velocities c_q (regularised
// collision) are a function of ten numbers: density, momentum, stress. With the density rho = 1 + r
// and sums over the populations after the collision, shifted by their weights,
//
//   r = sum g_q,   J = sum c_q g_q,   T = sum c_q c_q g_q - r/3
//   g_q = w_q (r - 3/2 trace(T) + 3 c_q . J + 9/2 c_q c_q : T)
// (Latt & Chopard, Math. Comput. Simul. 72 (2006) 165.)
//
// Stored are s = (r - 3/2 trace(T))/36, J/12, T_aa/8 and T_ab/4, all times Storage::scale. The
// populations of diagonals are sums of these, those of axes twice such sums, that of rest is 12 s:
// no constant is rounded, so no mass or momentum is lost.
inline constexpr int count = values_of(Representation::moments);
using Set = D3Q19;
// The order in memory: s, J, T.
enum Index { isotropic, jx, jy, jz, xx, yy, zz, xy, xz, yz };

// The parts of a population that are equal and opposite in the opposite direction. load(i): moment
// i, a number or a vector of several cells.
template <class Load>
LBM_HD auto even_part(int q, const Load& load) {
  auto sum = load(isotropic);
  if (cx(q) != 0) sum = sum + load(xx);
  if (cy(q) != 0) sum = sum + load(yy);
  if (cz(q) != 0) sum = sum + load(zz);
  if (cx(q) * cy(q) != 0) sum = cx(q) * cy(q) > 0 ? sum + load(xy) : sum - load(xy);
  if (cx(q) * cz(q) != 0) sum = cx(q) * cz(q) > 0 ? sum + load(xz) : sum - load(xz);
  if (cy(q) * cz(q) != 0) sum = cy(q) * cz(q) > 0 ? sum + load(yz) : sum - load(yz);
  return sum;
}
template <class Load>
LBM_HD auto odd_part(int q, const Load& load) {
  if (cx(q) == 0 && cy(q) == 0) return cz(q) > 0 ? load(jz) : -load(jz);
  const auto first = cx(q) != 0 ? load(jx) : load(jy);
  const int sign = cx(q) != 0 ? cx(q) : cy(q);
  const auto one = sign > 0 ? first : -first;
  if (cz(q) != 0) return cz(q) > 0 ? one + load(jz) : one - load(jz);
  if (cx(q) != 0 && cy(q) != 0) return cy(q) > 0 ? one + load(jy) : one - load(jy);
  return one;
}

// Population q, or the one of the opposite direction (reversed). Real: the type of one number.
template <class Real, class Load>
LBM_HD auto population(int q, const Load& load, bool reversed = false) {
  const auto even = even_part(q, load);
  using T = std::remove_const_t<decltype(even)>;
  if (q == 0) return T(multiply(Real(12), even));
  const T odd = odd_part(q, load);
  const T sum = reversed ? T(even - odd) : T(even + odd);
  return q <= 6 ? T(sum + sum) : sum;
}

// Sums over the five populations that rise (or sink) by one plane, and over the nine others.
template <class T>
struct SideSums {
  T all, x, y, xx, yy;
};
template <class T>
struct LevelSums {
  T all, x, y, xx, yy, xy;
};

// The directions (all five have the same z component): along z, with +x, -x, +y, -y.
template <class T>
LBM_HD SideSums<T> side_sums(const T& z, const T& x_plus, const T& x_minus, const T& y_plus,
                             const T& y_minus) {
  const T along_x = x_plus + x_minus, along_y = y_plus + y_minus;
  return {z + (along_x + along_y), x_plus - x_minus, y_plus - y_minus, along_x, along_y};
}
template <class T>
LBM_HD LevelSums<T> level_sums(const T (&g)[Set::directions]) {
  const T same = g[7] + g[8], other = g[13] + g[14], diagonal = same + other;
  const T x = g[1] + g[2], y = g[3] + g[4];
  const T one = g[7] - g[8], two = g[13] - g[14];
  return {(g[0] + diagonal) + (x + y),
          (g[1] - g[2]) + (one + two),
          (g[3] - g[4]) + (one - two),
          x + diagonal,
          y + diagonal,
          same - other};
}

// Moments of orders 0 to 2 of shifted populations, not divided: p_ab = sum c_a c_b g.
template <class T>
struct MomentSums {
  T drho, jx, jy, jz;
  T xx, yy, zz, xy, xz, yz;
};

template <class T>
LBM_HD MomentSums<T> sums_of(const SideSums<T>& rising, const LevelSums<T>& level,
                             const SideSums<T>& sinking) {
  const T across = rising.all + sinking.all;
  return {level.all + across,
          level.x + (rising.x + sinking.x),
          level.y + (rising.y + sinking.y),
          rising.all - sinking.all,
          level.xx + (rising.xx + sinking.xx),
          level.yy + (rising.yy + sinking.yy),
          across,
          level.xy,
          rising.x - sinking.x,
          rising.y - sinking.y};
}
template <class T>
LBM_HD MomentSums<T> sums_of(const T (&g)[Set::directions]) {
  return sums_of(side_sums(g[5], g[9], g[16], g[11], g[18]), level_sums(g),
                 side_sums(g[6], g[15], g[10], g[17], g[12]));
}

// x / n without the bias of a rounded 1/n, which would be the same in every cell and step.
template <class Real, class T>
LBM_HD T divided(const T& x, int n) {
  const Real inverse = Real(1) / static_cast<Real>(n);
  const T quotient = multiply(x, inverse);
  return multiply_add(multiply_add(static_cast<Real>(-n), quotient, x), inverse, quotient);
}

// r and J of stored moments.
template <class Real, class Load>
LBM_HD auto density_momentum(const Load& load) {
  using T = std::remove_cvref_t<decltype(load(isotropic))>;
  const T trace = multiply(Real(12), T(load(xx) + load(yy) + load(zz)));
  return Sums<T>{T(multiply_add(Real(36), load(isotropic), trace)), T(multiply(Real(12), load(jx))),
                 T(multiply(Real(12), load(jy))), T(multiply(Real(12), load(jz)))};
}

// The stored moments of r, J and T (sums.xx ... sums.yz; not shifted by r/3 any more).
template <class Real, class T, int size>
LBM_HD void store(const MomentSums<T>& m, T (&stored)[size]) {
  static_assert(size >= count);
  stored[isotropic] = divided<Real>(multiply_add(Real(-1.5), m.xx + m.yy + m.zz, m.drho), 36);
  stored[jx] = divided<Real>(m.jx, 12);
  stored[jy] = divided<Real>(m.jy, 12);
  stored[jz] = divided<Real>(m.jz, 12);
  stored[xx] = Real(0.125) * m.xx;
  stored[yy] = Real(0.125) * m.yy;
  stored[zz] = Real(0.125) * m.zz;
  stored[xy] = Real(0.25) * m.xy;
  stored[xz] = Real(0.25) * m.xz;
  stored[yz] = Real(0.25) * m.yz;
}

// The stored moments of populations, in the first ten of these.
template <class Real, class T>
LBM_HD void project(T (&g)[Set::directions]) {
  MomentSums<T> m = sums_of(g);
  const T pressure = multiply(m.drho, Real(1.0 / 3));
  m.xx -= pressure;
  m.yy -= pressure;
  m.zz -= pressure;
  store<Real>(m, g);
}

}  // namespace lbm::ten_moments
