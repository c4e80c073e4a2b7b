// SPDX-License-Identifier: Apache-2.0

// Relaxation of cumulants on D3Q27 (Geier, Schoenherr, Pasquali & Krafczyk, Comput. Math. Appl. 70
// (2015) 507), with the rates of Geier, Pasquali & Schoenherr, J. Comput. Phys. 348 (2017) 862.
//
// kappa_abc: sum of f_q (c_x - u_x)^a (c_y - u_y)^b (c_z - u_z)^c, exponents up to 2. In
// equilibrium kappa_200 = rho/3, kappa_220 = rho/9, kappa_222 = rho/27, those with an odd exponent
// 0. Cumulants C of order 2 and 3 are central moments. Those of higher order are central moments
// less all products of lower orders; with N = kappa - its equilibrium, of second order,
//   C_220 = kappa_220 - rho/9 - (N_xx + N_yy)/3 - (N_xx N_yy + 2 N_xy^2)/rho,
// and so on (2015, section 4). A step relaxes, with omega = 1/tau:
//   second order, without the trace: omega. Trace: 1, so that the bulk viscosity is 1/9. Both with
//     the term that central_moments.hpp explains; D3Q27 has the moment xyz.
//   third order: C_120 + C_102 at omega_3, C_120 - C_102 at omega_4, C_111 at omega_5, each moved
//     towards 1 where the cumulant is large: omega + (1 - omega) |C| / (rho/100 + |C|)
//   fourth order: 1, towards values that the velocity gradients give:
//     C_220 -> -2/3 (1/omega - 1/2) A rho (du_x/dx + du_y/dy), C_211 -> (1 - omega/2) B N_yz
//   fifth and sixth order: 1, towards 0
// omega_3 to omega_5, A and B make the viscous term exact to fourth order in the cell size:
// cumulant_rates(). omega_4 leaves [0, 2] between omega = 10/7 and 7/4; A and B have poles at 1 and
// 2/5. So the rates are those of the paper from omega = 1.8 on (viscosity up to 1/54); from there
// to 7/4 they pass linearly to 1, A and B to 0. Between walls that move the rates of third order
// are 1, those of 2015 (CollisionSpec::damps_third_order).
//
// Body force: cumulants are taken about the velocity before the force, u - F/(2 rho), and
// populations made about the one after it, u + F/(2 rho). A force that is the same everywhere thus
// moves a cell as a whole.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/lattice.hpp"

namespace lbm {

// kept_*: 1 - omega_3, 1 - omega_4, 1 - omega_5. normal, shear: factors of C_220 and C_211.
template <class T>
struct CumulantRates {
  T kept_sum, kept_difference, kept_xyz, normal, shear;
};

// Equations (111) to (115) of 2017 with omega_2 = 1, and the passage to rates of 1.
template <class Real, class T>
LBM_HD CumulantRates<T> cumulant_rates(const T& omega) {
  constexpr Real none = Real(1.75), all = Real(1.8);
  const T least = T{} + none, one = T{} + Real(1);
  const T w = omega > least ? omega : least;
  const T ramp = (w - none) * (Real(1) / (all - none)), share = ramp < one ? ramp : one;
  const T rest = Real(2) - w;
  const auto poly = [&](Real a, Real b, Real c) {
    return multiply_add(multiply_add(T{} + c, w, T{} + b), w, T{} + a);
  };
  const auto kept = [&](const T& numerator, const T& denominator) {
    const T inverse = reciprocal<Real>(denominator);
    return multiply(share, multiply_add(-multiply(rest, numerator), inverse, one));
  };
  const T cubic = multiply_add(multiply(w, w), Real(29) * w, poly(48, 152, -130));
  const T common = multiply(multiply(share, rest), reciprocal<Real>(poly(6, -21, 15)));
  return {kept(Real(8) * poly(1, 2, 0), poly(8, 14, -7)),
          kept(Real(8) * poly(7, -4, 0), poly(56, -50, 9)),
          kept(multiply(Real(24), poly(2, 7, -3)), cubic),
          multiply(multiply(common, poly(2, 1, Real(-1.5))), reciprocal<Real>(w)),
          multiply(common, poly(2, 14, -7))};
}

template <class Storage>
struct Cumulant {
  using Real = typename Storage::Real;
  static constexpr CollisionKind kind = CollisionKind::cumulant;
  static constexpr bool needs_stress = false, filters_stress = false, has_pair_pass = false;
  CumulantRates<Real> rates;  // of the laminar omega
  bool varying;               // omega differs from cell to cell
  Real keeps;                 // 0: rates of third order are 1; else 1

  static Cumulant of(const CollisionSpec& spec) {
    const CumulantRates<double> r = cumulant_rates<double>(spec.omega);
    const auto real = [](double x) { return static_cast<Real>(x); };
    const double keeps = spec.damps_third_order ? 0 : 1;
    return {{real(keeps * r.kept_sum), real(keeps * r.kept_difference), real(keeps * r.kept_xyz),
             real(r.normal), real(r.shear)},
            spec.smagorinsky > 0,
            real(keeps)};
  }

  // Relaxes g in place. All but velocities is times Storage::scale, so products of two moments are
  // times `inverse`, which is 1 / (rho scale).
  template <class T>
  LBM_HD void relax(T (&g)[27], const CellState<Real, T>& s, const Stress<T>&, const T& omega,
                    const CellForce<Real>& force) const {
    constexpr Real scale = Storage::scale, unit = 1 / scale, half = Real(0.5);
    constexpr Real third = Real(1.0 / 3);
    const T inverse = unit / (Real(1) + s.drho * unit);
    const auto half_change = [&](Real f) { return multiply(half * f, inverse); };
    const T change[3] = {half_change(force.x), half_change(force.y), half_change(force.z)};
    const T u[3] = {s.ux - change[0], s.uy - change[1], s.uz - change[2]};
    const T pushed[3] = {s.ux + change[0], s.uy + change[1], s.uz + change[2]};
    // Population c is m[(c_x + 1) x + (c_y + 1) y + (c_z + 1) z], moment abc m[a x + b y + c z].
    T m[27];
    LBM_UNROLL
    for (int q = 0; q < 27; ++q) m[(cx(q) + 1) * x + (cy(q) + 1) * y + (cz(q) + 1) * z] = g[q];
    to_moments<x, T>(m, u[0]);
    to_moments<y, T>(m, u[1]);
    to_moments<z, T>(m, u[2]);
    // Moments of first order are what rounding leaves of rho u. They are kept: momentum that is
    // lost in the same way in each step would be a force.
    const auto push = [&](int a, const T& faster, Real f) {
      m[a] += multiply_add(-faster, s.drho, multiply_add(-faster, scale, T{} + f));
    };
    push(x, pushed[0] - u[0], force.x);
    push(y, pushed[1] - u[1], force.y);
    push(z, pushed[2] - u[2], force.z);

    CumulantRates<T> r{T{} + rates.kept_sum, T{} + rates.kept_difference, T{} + rates.kept_xyz,
                       T{} + rates.normal, T{} + rates.shear};
    if (varying) {
      r = cumulant_rates<Real>(omega);
      r.kept_sum = multiply(keeps, r.kept_sum);
      r.kept_difference = multiply(keeps, r.kept_difference);
      r.kept_xyz = multiply(keeps, r.kept_xyz);
    }
    const T pressure = multiply(s.drho, third), ninth = multiply(pressure, third);
    each([&](int a, int, int) { m[2 * a] -= pressure; });
    each([&](int a, int b, int c) { m[2 * a + b + c] = multiply(r.shear, m[b + c]); });
    relax_second(m, s, omega);

    const T limit = multiply(Real(0.01), scale + s.drho);
    const auto kept = [&](const T& cumulant, const T& share) {
      const T size = cumulant < T{} ? -cumulant : cumulant;
      const T inverse_size = reciprocal<Real>(T(limit + size));
      return multiply(multiply(share, cumulant), multiply(limit, inverse_size));
    };
    each([&](int a, int b, int c) {
      const T sum = kept(m[a + 2 * b] + m[a + 2 * c], r.kept_sum);
      const T difference = kept(m[a + 2 * b] - m[a + 2 * c], r.kept_difference);
      m[a + 2 * b] = half * (sum + difference);
      m[a + 2 * c] = half * (sum - difference);
    });
    m[x + y + z] = kept(m[x + y + z], r.kept_xyz);

    // From cumulants to central moments, less those of the state at rest; aa last.
    const auto ratio = [&](int i) { return multiply(m[i], inverse); };
    const auto square = [&](int i) { return multiply(m[i], ratio(i)); };
    T sixth{}, squares = multiply(Real(2) * m[x + y + z], m[x + y + z]);
    each([&](int a, int b, int c) {
      const int aabc = 2 * a + b + c;
      sixth = multiply_add(Real(4) * m[aabc], ratio(b + c), sixth);
      m[aabc] = multiply_add(Real(2) * m[a + b], ratio(a + c), m[aabc]);
      m[aabc] = multiply_add(third, m[b + c], multiply_add(m[2 * a], ratio(b + c), m[aabc]));
    });
    T triple = multiply(multiply(m[2 * x], ratio(2 * y)), ratio(2 * z));
    triple = multiply_add(multiply(Real(8) * m[x + y], ratio(x + z)), ratio(y + z), triple);
    each([&](int a, int b, int c) {
      const int bbcc = 2 * b + 2 * c;
      const T cumulant = multiply(r.normal, m[bbcc]), twice = Real(2) * square(b + c);
      const T with_pairs = multiply_add(m[2 * b], ratio(2 * c), cumulant + twice);
      m[bbcc] = multiply_add(third, m[2 * b] + m[2 * c], with_pairs) + ninth;
      sixth = multiply_add(third, with_pairs, multiply_add(cumulant, ratio(2 * a), sixth));
      triple = multiply_add(twice, ratio(2 * a), triple);
      squares = multiply_add(m[a + 2 * b], m[a + 2 * c], squares);
    });
    each([&](int a, int b, int c) {
      T sum = multiply_add(m[b + 2 * c], ratio(a + b), multiply(m[c + 2 * b], ratio(a + c)));
      sum = multiply_add(Real(4) * m[x + y + z], ratio(b + c), Real(2) * sum);
      sum = multiply_add(m[a + 2 * c], third + ratio(2 * b), sum);
      m[a + 2 * b + 2 * c] = multiply_add(m[a + 2 * b], third + ratio(2 * c), sum);
    });
    sixth = multiply_add(Real(2) * squares, inverse, sixth + triple);
    const T trace = m[2 * x] + m[2 * y] + m[2 * z];
    m[2 * (x + y + z)] = multiply_add(third, multiply_add(third, trace, ninth), sixth);
    each([&](int a, int, int) { m[2 * a] += pressure; });

    from_moments<z, T>(m, pushed[2]);
    from_moments<y, T>(m, pushed[1]);
    from_moments<x, T>(m, pushed[0]);
    LBM_UNROLL
    for (int q = 0; q < 27; ++q) g[q] = m[(cx(q) + 1) * x + (cy(q) + 1) * y + (cz(q) + 1) * z];
  }

 private:
  static constexpr int x = 1, y = 3, z = 9;  // strides

  // Calls f for each axis and the other two.
  template <class F>
  LBM_HD static void each(const F& f) {
    f(x, y, z);
    f(y, x, z);
    f(z, x, y);
  }

  // Relaxes N. Sets moment aabb to -2 rho (du_a/da + du_b/db).
  template <class T>
  LBM_HD static void relax_second(T (&m)[27], const CellState<Real, T>& s, const T& omega) {
    constexpr Real third = Real(1.0 / 3), half = Real(0.5);
    const T kept = Real(1) - omega, rate = Real(3) * omega;
    const T n[3] = {m[2 * x], m[2 * y], m[2 * z]};
    const T weight[3] = {multiply(Real(-1.5) * s.ux, s.ux), multiply(Real(-1.5) * s.uy, s.uy),
                         multiply(Real(-1.5) * s.uz, s.uz)};
    // -2 rho du_a/da; 3 rho u_a^2 du_a/da, of which half is in N before the collision.
    T strain[3], lost[3] = {};
    LBM_UNROLL
    for (int pass = 0; pass < 2; ++pass) {
      const T v[3] = {n[0] - half * lost[0], n[1] - half * lost[1], n[2] - half * lost[2]};
      const T of_trace = multiply(kept, v[0] + v[1] + v[2]);
      LBM_UNROLL
      for (int a = 0; a < 3; ++a) {
        strain[a] = multiply_add(rate, v[a], of_trace);
        lost[a] = multiply(weight[a], strain[a]);
      }
    }
    const T mean = multiply(n[0] + n[1] + n[2], third);
    const T lost_mean = multiply(lost[0] + lost[1] + lost[2], third);
    const T factor = Real(1) - half * omega;
    const auto relaxed = [&](int a) {
      const T deviator = multiply_add(kept, n[a] - mean, -multiply(factor, lost[a] - lost_mean));
      return T(deviator - half * lost_mean);
    };
    m[2 * x] = relaxed(0);
    m[2 * y] = relaxed(1);
    m[2 * z] = relaxed(2);
    each([&](int, int b, int c) { m[b + c] = multiply(kept, m[b + c]); });
    m[2 * x + 2 * y] = strain[0] + strain[1];
    m[2 * x + 2 * z] = strain[0] + strain[2];
    m[2 * y + 2 * z] = strain[1] + strain[2];
  }

  // The part of a row along an axis in the state at rest. b, c: the place of the row along the
  // other two axes, an exponent where that axis is transformed already, else the velocity plus 1.
  LBM_HD static constexpr Real row_weight(int axis, int b, int c) {
    const auto weight = [](bool exponent, int i) {
      if (exponent) return i == 0 ? Real(1) : (i == 1 ? Real(0) : Real(1.0 / 3));
      return i == 1 ? Real(2.0 / 3) : Real(1.0 / 6);
    };
    return Storage::scale * weight(axis != x, b) * weight(axis == z, c);
  }

  // Rows along an axis: shifted values at -1, 0, 1 become shifted moments about u of order 0, 1, 2
  // ("chimera", 2015, appendix).
  template <int axis, class T>
  LBM_HD static void to_moments(T (&m)[27], const T& u) {
    LBM_UNROLL
    for (int row = 0; row < 9; ++row) {
      const int b = row % 3, c = row / 3, i = b * (axis == x ? y : x) + c * (axis == z ? y : z);
      const Real weight = row_weight(axis, b, c);
      const T sum = m[i] + m[i + 2 * axis], first = m[i + 2 * axis] - m[i];
      m[i] = m[i + axis] + sum;
      m[i + axis] = multiply_add(-u, weight != 0 ? T(m[i] + weight) : m[i], first);
      m[i + 2 * axis] = multiply_add(-u, first + m[i + axis], sum);
    }
  }

  template <int axis, class T>
  LBM_HD static void from_moments(T (&m)[27], const T& u) {
    constexpr Real half = Real(0.5);
    LBM_UNROLL
    for (int row = 0; row < 9; ++row) {
      const int b = row % 3, c = row / 3, i = b * (axis == x ? y : x) + c * (axis == z ? y : z);
      const Real weight = row_weight(axis, b, c);
      const T first = multiply_add(u, weight != 0 ? T(m[i] + weight) : m[i], m[i + axis]);
      const T second = multiply_add(u, m[i + axis] + first, m[i + 2 * axis]);
      m[i + axis] = m[i] - second;
      m[i] = multiply_add(-half, first, half * second);
      m[i + 2 * axis] = multiply_add(half, first, half * second);
    }
  }
};

}  // namespace lbm
