// SPDX-License-Identifier: Apache-2.0

// The macroscopic state of a cell, and the arithmetic that all collision models share.
//
// Populations g, momenta, stresses and forces are multiplied by Storage::scale, velocities are not.
// T is a number for one cell or a vector for several cells; Real is the type of one number.
#pragma once

#include <cmath>
#include <type_traits>

#include "solver/core/host_device.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/moments.hpp"

namespace lbm {

// Element by element for vectors of cells.
template <class T>
LBM_HD T square_root(const T& x) {
  if constexpr (std::is_same_v<T, float>) {
    return sqrtf(x);
  } else if constexpr (std::is_same_v<T, double>) {
    return sqrt(x);
  } else {
    T result{};
    for (unsigned i = 0; i < sizeof(T) / sizeof(x[0]); ++i) result[i] = std::sqrt(x[i]);
    return result;
  }
}

template <class Real, class T>
struct CellState {
  T drho;        // rho - 1
  T jx, jy, jz;  // rho u = sum c_q g_q + F/2
  T ux, uy, uz;

  // rho - 1 - 3/2 rho u^2
  LBM_HD T isotropic() const {
    const T energy = multiply_add(jx, ux, multiply_add(jy, uy, multiply(jz, uz)));
    return multiply_add(Real(-1.5), energy, drho);
  }
};

// The body force F of the step.
template <class Real>
struct CellForce {
  bool any = false;
  Real x = 0, y = 0, z = 0;
};

// The state of a cell with such sums over its populations. inverse: 1 / (rho Storage::scale).
template <class Real, class Sums, class T>
LBM_HD CellState<Real, T> cell_state(const Sums& sums, const CellForce<Real>& force,
                                     const T& inverse) {
  constexpr Real half = Real(0.5);
  CellState<Real, T> s;
  s.drho = sums.drho;
  s.jx = sums.jx + half * force.x;
  s.jy = sums.jy + half * force.y;
  s.jz = sums.jz + half * force.z;
  s.ux = multiply(s.jx, inverse);
  s.uy = multiply(s.jy, inverse);
  s.uz = multiply(s.jz, inverse);
  return s;
}

// The force at a step, times Storage::scale.
template <class Storage>
CellForce<typename Storage::Real> cell_force(const CollisionSpec& spec, double step) {
  using Real = typename Storage::Real;
  const auto f = spec.force.at(step);
  const auto scaled = [](double x) { return static_cast<Real>(x * double{Storage::scale}); };
  return {spec.force.any(), scaled(f[0]), scaled(f[1]), scaled(f[2])};
}

// Symmetric second moments.
template <class T>
struct Stress {
  T xx, yy, zz, xy, xz, yz;
};

// sqrt(p : p)
template <class Real, class T>
LBM_HD T size_of(const Stress<T>& p) {
  const T off = multiply_add(p.xy, p.xy, multiply_add(p.xz, p.xz, multiply(p.yz, p.yz)));
  const T on = multiply_add(p.xx, p.xx, multiply_add(p.yy, p.yy, multiply(p.zz, p.zz)));
  return square_root<T>(on + Real(2) * off);
}

// f of each component.
template <class T, class F>
LBM_HD Stress<T> for_each_component(const Stress<T>& a, const Stress<T>& b, const F& f) {
  return {f(a.xx, b.xx), f(a.yy, b.yy), f(a.zz, b.zz), f(a.xy, b.xy), f(a.xz, b.xz), f(a.yz, b.yz)};
}

// Adds (u F + F u) / 2 to p.
template <class Real, class T>
LBM_HD void add_force_stress(Stress<T>& p, const CellState<Real, T>& s,
                             const CellForce<Real>& force) {
  if (!force.any) return;
  constexpr Real half = Real(0.5);
  p.xx = multiply_add(s.ux, force.x, p.xx);
  p.yy = multiply_add(s.uy, force.y, p.yy);
  p.zz = multiply_add(s.uz, force.z, p.zz);
  p.xy += half * multiply_add(s.ux, force.y, multiply(s.uy, force.x));
  p.xz += half * multiply_add(s.ux, force.z, multiply(s.uz, force.x));
  p.yz += half * multiply_add(s.uy, force.z, multiply(s.uz, force.y));
}

// The part of the stress that relaxes: sum_q c_q c_q (g_q - geq_q) + (u F + F u) / 2 (Guo, Zheng &
// Shi 2002).
template <class Real, class T, int directions>
LBM_HD Stress<T> stress_of(const T (&g)[directions], const CellState<Real, T>& s,
                           const CellForce<Real>& force) {
  const T pressure = multiply(s.drho, Real(1.0 / 3));
  Stress<T> p{multiply_add(-s.jx, s.ux, -pressure),
              multiply_add(-s.jy, s.uy, -pressure),
              multiply_add(-s.jz, s.uz, -pressure),
              -multiply(s.jx, s.uy),
              -multiply(s.jx, s.uz),
              -multiply(s.jy, s.uz)};
  LBM_UNROLL
  for (int q = 1; q < directions; q += 2) {
    const T both = g[q] + g[q + 1];
    if (cx(q) != 0) p.xx += both;
    if (cy(q) != 0) p.yy += both;
    if (cz(q) != 0) p.zz += both;
    if (cx(q) * cy(q) != 0) p.xy += cx(q) * cy(q) > 0 ? both : -both;
    if (cx(q) * cz(q) != 0) p.xz += cx(q) * cz(q) > 0 ? both : -both;
    if (cy(q) * cz(q) != 0) p.yz += cy(q) * cz(q) > 0 ? both : -both;
  }
  add_force_stress(p, s, force);
  return p;
}

// c_q c_q : p
template <class Real, class T>
LBM_HD T contract_cc(int q, const Stress<T>& p) {
  T sum{};
  if (cx(q) != 0) sum += p.xx;
  if (cy(q) != 0) sum += p.yy;
  if (cz(q) != 0) sum += p.zz;
  if (cx(q) * cy(q) != 0) sum += Real(2 * cx(q) * cy(q)) * p.xy;
  if (cx(q) * cz(q) != 0) sum += Real(2 * cx(q) * cz(q)) * p.xz;
  if (cy(q) * cz(q) != 0) sum += Real(2 * cy(q) * cz(q)) * p.yz;
  return sum;
}

}  // namespace lbm
