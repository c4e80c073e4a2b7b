// SPDX-License-Identifier: Apache-2.0

// A collision with body force and turbulence model, which all models share; the model itself only
// relaxes.
//
// Force: Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308: rho u = sum c_q f_q + F/2.
#pragma once

#include "solver/collision/cell_state.hpp"
#include "solver/collision/stress_filter.hpp"
#include "solver/collision/turbulence.hpp"
#include "solver/lattice/collision_spec.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// Model<Storage>: of(spec); needs_stress; filters_stress; relax(g, state, stress, omega, force),
// see trt.hpp.
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

  // As Bgk: relaxes the shifted populations of one cell, or of several. own: see FiltersStress.
  template <class T>
  LBM_HD void operator()(T (&g)[d3q19::directions]) const requires(!filters_stress) {
    collide(g, 0);
  }
  template <class T, class Own>
  LBM_HD void operator()(T (&g)[d3q19::directions], const Own& own) const requires filters_stress {
    collide(g, own);
  }

 private:
  template <class T, class Own>
  LBM_HD void collide(T (&g)[d3q19::directions], const Own& own) const {
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
    if (Model<Storage>::needs_stress || turbulence.any()) stress = stress_of(g, s, force);
    rate = turbulence.rate(rate, stress, inverse);
    if constexpr (filters_stress) {
      T before[d3q19::directions];
      LBM_UNROLL
      for (int q = 0; q < d3q19::directions; ++q) before[q] = own(q);
      const auto old = nonequilibrium_stress<Storage>(ten_moments::sums_of(before));
      model.relax(g, s, stress, old, rate, force);
    } else {
      model.relax(g, s, stress, rate, force);
    }
  }
};

}  // namespace lbm
