// SPDX-License-Identifier: Apache-2.0

// A collision with body force and turbulence model, which all models share; the model itself only
// relaxes.
//
// Force: Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308: rho u = sum c_q f_q + F/2.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/collision/regularised.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// Turbulence model of Smagorinsky (1963), with the strain rate from the cell's own non-equilibrium
// stress (Hou, Sterling, Chen & Doolen 1996): with P = sum c c (f - feq), |P| = sqrt(P:P),
//   tau = (tau_0 + sqrt(tau_0^2 + 18 sqrt(2) C_s^2 |P| / rho)) / 2.
template <class Real>
struct Turbulence {
  Real tau;
  Real factor;  // 18 sqrt(2) C_s^2

  static Turbulence of(const CollisionSpec& spec) {
    constexpr double sqrt_2 = 1.4142135623730951;
    return {static_cast<Real>(1 / spec.omega),
            static_cast<Real>(18 * sqrt_2 * spec.smagorinsky * spec.smagorinsky)};
  }
  LBM_HD bool any() const { return factor > 0; }

  // 1 / tau. laminar: without the model. p: P times Storage::scale; inverse: 1 / (rho scale).
  template <class T>
  LBM_HD T rate(const T& laminar, const Stress<T>& p, const T& inverse) const {
    if (!any()) return laminar;
    constexpr Real half = Real(0.5);
    const T size = size_of<Real>(p);
    const T total =
        half *
        (tau + square_root<T>(multiply_add(multiply(factor, size), inverse, multiply(tau, tau))));
    return Real(1) / total;
  }
  // tau - tau_0 of the collision that has left the stress n = (1 - 1/tau) P. With |P| of the
  // formula above e = tau - tau_0 is a root of
  //   4 e (1 - tau_0 - e) = 18 sqrt(2) C_s^2 |n| / rho,   the lower one: for tau <= (1 + tau_0)/2.
  // tau_0 must be below 1. inverse: as of rate().
  template <class T>
  LBM_HD T added(const Stress<T>& n, const T& inverse) const {
    constexpr Real half = Real(0.5);
    const T room = Real(1) - (T{} + tau), most = multiply(room, room);
    const T found = multiply(multiply(factor, size_of<Real>(n)), inverse);
    const T right = found < most ? found : most;
    return half * right / (room + square_root<T>(most - right));
  }
};

// Model<Storage>: kind; of(spec); needs_stress; filters_stress; has_pair_pass; relax(g, state,
// stress, omega, force), see trt.hpp.
template <class Storage, template <class> class Model>
struct GeneralCollision {
  using Real = typename Storage::Real;
  Model<Storage> model;
  Real omega;  // 1 / tau_0
  Turbulence<Real> turbulence;
  CellForce<Real> force;

  // step: at the end of the update; the body force is the one at that time.
  static GeneralCollision of(const CollisionSpec& spec, double step) {
    return {Model<Storage>::of(spec), static_cast<Real>(spec.omega), Turbulence<Real>::of(spec),
            cell_force<Storage>(spec, step)};
  }

  static constexpr bool filters_stress = Model<Storage>::filters_stress;
  static constexpr bool has_pair_pass = Model<Storage>::has_pair_pass;

  // As Bgk: relaxes the shifted populations of one cell, or of several. own: see FiltersStress.
  template <class T>
  LBM_HD void operator()(T (&g)[Storage::Set::directions]) const requires(!filters_stress) {
    collide(g, 0);
  }
  template <class T, class Own>
  LBM_HD void operator()(T (&g)[Storage::Set::directions],
                         const Own& own) const requires filters_stress {
    collide(g, own);
  }

 private:
  template <class T, class Own>
  LBM_HD void collide(T (&g)[Storage::Set::directions], const Own& own) const {
    constexpr Real unit = 1 / Storage::scale;
    const Sums<T> sums = density_momentum(g);
    const T inverse = unit / (Real(1) + sums.drho * unit);
    const CellState<Real, T> s = cell_state(sums, force, inverse);
    T rate = T{} + omega;
    Stress<T> stress{};
    if (Model<Storage>::needs_stress || turbulence.any()) stress = stress_of(g, s, force);
    rate = turbulence.rate(rate, stress, inverse);
    if constexpr (filters_stress) {
      T before[Storage::Set::directions];
      LBM_UNROLL
      for (int q = 0; q < Storage::Set::directions; ++q) before[q] = own(q);
      const auto old = nonequilibrium_stress<Storage>(ten_moments::sums_of(before));
      model.relax(g, s, stress, old, rate, force);
    } else {
      model.relax(g, s, stress, rate, force);
    }
  }
};

}  // namespace lbm
