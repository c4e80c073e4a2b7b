// SPDX-License-Identifier: Apache-2.0

// Zones that resist the flow through them: porous bodies, screens and actuator discs. They are part
// of the force that depends on the place (ForceField): no cell of theirs is solid.
#pragma once

#include <cstdint>

#include "solver/boundary/moving_body.hpp"
#include "solver/collision/cell_state.hpp"
#include "solver/core/host_device.hpp"

namespace lbm {

// The force per volume on fluid of density rho and velocity u, implicit in u (Guo & Zhao, Phys.
// Rev. E 66 (2002) 036304):
//   F = thrust - rho (linear + quadratic |w|) w,   w = all u + along (axis . u) axis
// w is u (all 1, along 0), its part along the axis (0, 1) or the part across it (1, -1). A cell of
// which a share lies in the zone has this share of the force.
//
// Lattice units. No padding: zones are in Boundaries::bytes().
struct Resistance {
  float linear = 0;     // Darcy: viscosity / permeability
  float quadratic = 0;  // Forchheimer, 1 / cells
  float all = 1, along = 0;
  float axis[3] = {};  // unit length
  float thrust[3] = {};
  std::int32_t body = 0;  // in records; Boundaries sets it

  // j: momentum per volume with half of all other forces. part: what u has of this force besides j:
  // 1/2 if j has nothing of it, -1/2 if j has all of it. The latter needs linear + quadratic |w|
  // < 2.
  template <class Real>
  LBM_HD ForceVector<Real> on_fluid(Real share, Real part, Real rho, const Real (&j)[3]) const {
    const Real own = multiply(share, part), inverse = Real(1) / rho;
    Real u[3], w[3], axial = 0, square = 0;
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      u[a] = multiply(multiply_add(own, Real(thrust[a]), j[a]), inverse);
      axial = multiply_add(Real(axis[a]), u[a], axial);
    }
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      const Real of_axis = multiply(multiply(Real(along), axial), Real(axis[a]));
      w[a] = multiply_add(Real(all), u[a], of_axis);
      square = multiply_add(w[a], w[a], square);
    }
    // The speed s after the resistance is a root of own quadratic s^2 + first s = |w|.
    const Real size = square_root<Real>(square), first = multiply_add(own, Real(linear), Real(1));
    const Real four = multiply(Real(4) * own, Real(quadratic));
    const Real root = multiply_add(four, size, multiply(first, first));
    const Real slowed = Real(2) / (first + square_root<Real>(root > 0 ? root : Real(0)));
    const Real rate = multiply_add(Real(quadratic), multiply(size, slowed), Real(linear));
    const Real factor = multiply(multiply(multiply(share, rho), rate), slowed);
    return {multiply_add(-factor, w[0], multiply(share, Real(thrust[0]))),
            multiply_add(-factor, w[1], multiply(share, Real(thrust[1]))),
            multiply_add(-factor, w[2], multiply(share, Real(thrust[2])))};
  }
};
static_assert(sizeof(Resistance) == 11 * 4);

// fraction: one sample a cell, at centres of cells of the box (sampled_at_cells).
struct PorousZone {
  SolidFraction fraction;
  Resistance resistance;
};

// The zone of a cell; zone: null for none.
struct ZoneShare {
  const Resistance* zone = nullptr;
  float share = 0;

  // As a number in BoundaryView::forces: 256 times the number of the zone plus 255 times the share;
  // 0: none.
  static float packed(int number, std::uint8_t share) {
    return share == 0 ? 0.0F : static_cast<float>(256 * number + share);
  }
  static LBM_HD ZoneShare of(float packed, const Resistance* zones) {
    const int value = static_cast<int>(packed);
    if (value == 0) return {};
    return {zones + (value >> 8), multiply(static_cast<float>(value & 255), 1.0F / 255)};
  }
};
inline constexpr int most_zones = 65536;  // so that a float has the packed number

}  // namespace lbm
