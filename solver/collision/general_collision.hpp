// A collision with body force and turbulence model, which all models share; the model itself only
// relaxes.
//
// Force: Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308: rho u = sum c_q f_q + F/2.
// Turbulence: Smagorinsky (1963) with the strain rate from the cell's own non-equilibrium stress
// (Hou, Sterling, Chen & Doolen 1996): with P = sum c c (f - feq), |P| = sqrt(P:P),
//   tau = (tau_0 + sqrt(tau_0^2 + 18 sqrt(2) C_s^2 |P| / rho)) / 2.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// Model<Storage>: of(spec); needs_stress; relax(g, state, stress, omega, force), see trt.hpp.
template <class Storage, template <class> class Model>
struct GeneralCollision {
  using Real = typename Storage::Real;
  Model<Storage> model;
  Real omega;  // 1 / tau_0
  Real tau;
  Real turbulence;  // 18 sqrt(2) C_s^2
  CellForce<Real> force;

  // step: at the end of the update; the body force is the one at that time.
  static GeneralCollision of(const CollisionSpec& spec, double step) {
    const auto f = spec.force.at(step);
    const auto scaled = [](double x) { return static_cast<Real>(x * double{Storage::scale}); };
    constexpr double sqrt_2 = 1.4142135623730951;
    return {Model<Storage>::of(spec),
            static_cast<Real>(spec.omega),
            static_cast<Real>(1 / spec.omega),
            static_cast<Real>(18 * sqrt_2 * spec.smagorinsky * spec.smagorinsky),
            {spec.force.any(), scaled(f[0]), scaled(f[1]), scaled(f[2])}};
  }

  // As Bgk: relaxes the shifted populations of one cell, or of several.
  template <class T>
  LBM_HD void operator()(T (&g)[d3q19::directions]) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const Sums<T> sums = density_momentum(g);
    const T inverse = unit / (Real(1) + sums.drho * unit);
    CellState<Real, T> s;
    s.drho = sums.drho;
    s.jx = sums.jx + half * force.x;
    s.jy = sums.jy + half * force.y;
    s.jz = sums.jz + half * force.z;
    s.ux = multiply(s.jx, inverse);
    s.uy = multiply(s.jy, inverse);
    s.uz = multiply(s.jz, inverse);
    T rate = T{} + omega;
    Stress<T> stress{};
    if (Model<Storage>::needs_stress || turbulence > 0) stress = stress_of(g, s, force);
    if (turbulence > 0) {
      const Stress<T>& p = stress;
      const T off = multiply_add(p.xy, p.xy, multiply_add(p.xz, p.xz, multiply(p.yz, p.yz)));
      const T on = multiply_add(p.xx, p.xx, multiply_add(p.yy, p.yy, multiply(p.zz, p.zz)));
      const T size = square_root<T>(on + Real(2) * off);
      const T total = half * (tau + square_root<T>(multiply_add(multiply(turbulence, size), inverse,
                                                                multiply(tau, tau))));
      rate = Real(1) / total;
    }
    model.relax(g, s, stress, rate, force);
  }
};

}  // namespace lbm
