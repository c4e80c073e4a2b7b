// SPDX-License-Identifier: Apache-2.0

// The update of the scalars of a cell (solver/lattice/scalars.hpp), after that of its flow. The
// force of buoyant scalars is added to the flow. The momentum of the flow then advects all scalars,
// which also diffuse.
//
// Lattice: D3Q7 with c_s^2 = 1/4, w_0 = 1/4, w_1..6 = 1/8. A cell keeps the zeroth and first
// moments of its populations after the collision, the scalar phi and its flux J; those of second
// order are in equilibrium (regularised collision: Latt & Chopard, Math. Comput. Simul. 72 (2006)
// 165). So
//   f_0 = phi/4,   f_q = (phi + 4 c_q . J)/8                             are the populations, and
//   phi = sum f_q + source,   J = sum c_q f_q,   J <- J + omega (phi u - J) + (1 - omega/2) u dphi
// in a step. The sums are over the populations that stream into the cell. dphi is the change of phi
// in this step without the source; the buoyant force is also that of phi without the source. u is
// the momentum over the reference density. In a steady flow u has no divergence: a uniform scalar
// stays uniform. The last term cancels the part of the flux that the change of phi u in time
// causes. Without this term streams diffuse too little (Chopard, Falcone & Latt, Eur. Phys. J.
// Special Topics 171 (2009) 245; here without the change of u).
//
// Below a diffusivity of 3/8 u^2 (along an axis; von Neumann analysis) errors grow on a stream. So
// tau of a cell is at least 1/2 + least_tau_of_square u^2, a diffusivity of 1.1 times that bound.
//
// With a turbulence model the diffusivity is D + nu_t/Pr_t, so tau of a cell has 4/3 (tau_f -
// tau_f0)/(Pr_t C_0) more (C_0: see conductors). tau_f, the relaxation time of the flow in the
// cell, follows from the stress that the collision has left (Turbulence::added()): stored values
// are enough. It is that of the collision with BGK, TRT and `regularised`. Central moments and
// cumulants leave no trace of the stress, and change it by the order of u^2; the filter of the
// stress has its mean over time.
//
// A scalar with bounds keeps them: its flux is cut so that the populations of phi less the lower
// bound, and those of the upper bound less phi, are not negative (positivity rule: Brownlee, Gorban
// & Levesley, Phys. Rev. E 75 (2007) 036711). Such a flux exists for |u| <= 1/4 along each axis.
// The sum of phi over a closed box has no rounding errors in fp32 and fp64, if all capacities
// are 1.
//
// Conductors: solid cells with u = 0 and an omega of their own. Populations stream to and from them
// as between fluid cells. Where capacities C differ, all populations have the least one, C_0, and
// the rest of C phi stays in its cell (total enthalpy: Huang & Wu, J. Comput. Phys. 294 (2015)
// 346):
//   phi <- phi + C_0/C (sum_{q>0} f_q - 3/4 phi),   tau = 1/2 + 4 D k/C_0,
// and u/C_0 takes the place of u in J and in the limits of tau and J. C and the conductivity k are
// relative to the fluid (C = k = 1), whose diffusivity is D.
//
// With a macroscopic gradient G the lattice stores phi - G . x: a population that streams from cell
// to cell along c_q loses w_q G . c_q, and phi loses G . u after streaming. The buoyant force lacks
// G . x.
//
// Walls lie half a cell outside the outermost cells: bounce-back where nothing passes,
// anti-bounce-back where phi is given (Ginzburg, Adv. Water Resour. 28 (2005) 1171). Bodies that
// hold a value have it where their surface cuts a link (Li, Mei & Klausner, J. Comput. Phys. 238
// (2013) 155, the linear scheme).
//
// A flux q at the surface of a body is q n . c_q on a link, with the normal n of the surface there:
// the sum over a closed surface of links is q times its area (divergence theorem). The flux along
// the surface is left out.
#pragma once

#include "solver/boundary/boundaries.hpp"
#include "solver/update/late_cells.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

// A scalar of a cell, or of several, and its flux.
template <class T>
struct ScalarMoments {
  T value, flux[3];
};

// The scalars of a lattice for one step, in the arithmetic of a storage policy, as kernels get
// them. Values are multiplied by Storage::scale.
template <class Storage>
struct ScalarCells {
  using Real = typename Storage::Real;
  using Value = typename Storage::Value;
  struct Face {
    ScalarBoundary kind;
    Real value, coefficient;
    Real unit;
    const float* by_place;  // in `unit`, added to `value`; null: nothing

    // The value at a cell of the face.
    LBM_HD Real value_at(std::int64_t cell) const {
      return by_place == nullptr ? value : value + multiply(unit, Real(by_place[cell]));
    }
  };
  struct Body {
    Real value;          // at the surface, or its flux, or of the surroundings
    Real coefficient;    // of convection at the surface
    Real omega, source;  // of a conductor
    Real share;          // C_0/C
  };
  struct Component {
    Real omega, tau;
    Real source;
    Real share;       // C_0
    Real carried;     // 1/C_0
    Real resistance;  // C_0/D of the fluid without eddies
    Real force[3];    // on the fluid, where the scalar is 1; without Storage::scale
    Real gradient[3];
    bool bounded;
    Real low, high;  // the bounds
    Face faces[6];
    unsigned held, conducting;  // bits of the bodies that hold a value, and that conduct
    unsigned giving;            // bits of the bodies with a flux or convection
    Body of_body[most_holding_bodies];

    LBM_HD bool conducts(int body) const {
      return body >= 0 && body < most_holding_bodies && (conducting >> body & 1U) != 0;
    }
    LBM_HD bool holds(int body) const {
      return body >= 0 && body < most_holding_bodies && (held >> body & 1U) != 0;
    }
    LBM_HD bool gives(int body) const {
      return body >= 0 && body < most_holding_bodies && (giving >> body & 1U) != 0;
    }
    // The population that enters from the surface of a body with a flux or convection. slant: n .
    // c_q; d: the place of the surface on the link; out: the population that leaves. With
    // convection phi at the surface is 4 (in + out), which is that at d = 1/2, plus (d - 1/2) (in -
    // out) / D. Where this would take more than the surroundings give, d counts as that at which
    // phi half a cell from the centre is that of the surroundings.
    LBM_HD Real from_surface(const Body& body, Real slant, Real d, Real out) const {
      if (body.coefficient == 0) return multiply_add(slant, body.value, out);
      const Real h = slant * body.coefficient;
      const Real more = multiply_add(h, (d - Real(0.5)) * resistance, Real(1));
      const Real k = more > 0 ? more : Real(0);
      return multiply(Real(1) / (k + Real(4) * h),
                      multiply_add(k - Real(4) * h, out, multiply(h, body.value)));
    }
  };

  PlaneLayout layout;
  int nz;
  BoundaryView boundaries;
  int count = 0;
  bool buoyant = false;
  bool conducting = false;  // a body conducts a scalar
  unsigned closed = 0;      // bits of the faces that are not periodic for some scalar
  std::uint32_t rounding = 0;
  ForceVector<Real> half_force;  // of the flow's own body force, after the step
  ForcedCells<Storage> forced;   // pushes the flow
  Component of[most_scalars];
  Turbulence<Real> turbulence;  // of the flow
  Real eddies[most_scalars];    // change of tau of a scalar over that of the flow

  // Index of the first value of a scalar among those of a cell.
  static LBM_HD int first(int scalar) { return Storage::values + values_per_scalar * scalar; }

  // The scalar and its flux after the streaming of a step, before the collision. own and
  // own_flux(axis): the scalar and its flux before the step; share: C_0/C; entering(q): the
  // population that streams in. Populations of a scalar with bounds are multiples of one number:
  // sums of up to 2 Storage::scale have no rounding errors, and the scalar is conserved.
  template <class T, class OwnFlux, class Entering>
  static LBM_HD ScalarMoments<T> streamed(const Component& c, Real share, const T& own,
                                          const OwnFlux& own_flux, const Entering& entering) {
    ScalarMoments<T> sum;
    sum.value = c.bounded ? own : T((Real(1) - Real(0.75) * share) * own);
    LBM_UNROLL
    for (int axis = 0; axis < 3; ++axis) {
      T plus = entering(1 + 2 * axis), minus = entering(2 + 2 * axis), gain = plus + minus;
      if (c.bounded) {
        const T flux = own_flux(axis);
        plus = rounded(plus);
        minus = rounded(minus);
        gain = T(plus - rounded(population(1, own, flux))) +
               T(minus - rounded(population(2, own, flux)));
      }
      sum.value = multiply_add(share, gain, sum.value);
      sum.flux[axis] = plus - minus;
    }
    return sum;
  }
  // Rounds to a multiple of the last binary digit of Storage::scale.
  template <class T>
  static LBM_HD T rounded(const T& population) {
    const Real large = Real(1.5) * Storage::scale;
    return T(population + large) - large;
  }
  // The change of a population of direction q by the gradient, on the way to the next cell.
  LBM_HD Real gained(int s, int q) const {
    const Real part = Real(0.125) * of[s].gradient[(q - 1) / 2];
    return (q & 1) != 0 ? -part : part;
  }
  // The population of direction q, 1 to 6, of stored moments.
  template <class T>
  static LBM_HD T population(int q, const T& value, const T& flux) {
    const T even = Real(0.125) * value, odd = Real(0.5) * flux;
    return (q & 1) != 0 ? T(even + odd) : T(even - odd);
  }

  // The population that enters a cell at a face that is not periodic. value: face.value_at() the
  // cell; out: the population of the cell that leaves through the face; own: the one with the
  // direction of the entering population.
  template <class T, class V>
  static LBM_HD T through_face(const Face& face, const V& value, const T& out, const T& own) {
    constexpr Real quarter = Real(0.25);
    switch (face.kind) {
      case ScalarBoundary::value:
        return T(quarter * value - out);
      case ScalarBoundary::flux:
        return T(out + value);
      case ScalarBoundary::convection: {
        // in = out + h (value - 4 (in + out)): the sum of both is a quarter of the scalar at the
        // face
        const Real h = Real(4) * face.coefficient, share = Real(1) / (Real(1) + h);
        return multiply(share, multiply_add(Real(1) - h, out, multiply(face.coefficient, value)));
      }
      case ScalarBoundary::open:
        return own;
      default:
        return out;
    }
  }

  // Momentum per volume of cells with these stored values, over the reference density. The values
  // lack the force of the scalars, push; half of push is added.
  template <class T>
  LBM_HD ForceVector<T> flow(const T (&values)[Storage::values], const ForceVector<T>& push) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const Sums<T> sums = Storage::density_momentum([&](int i) { return values[i]; });
    return {T(unit * (sums.jx - half_force.x + half * push.x)),
            T(unit * (sums.jy - half_force.y + half * push.y)),
            T(unit * (sums.jz - half_force.z + half * push.z))};
  }
  // The part of tau of the flow that its turbulence model adds, in cells with these stored values,
  // which lack the force of the scalars.
  template <class T>
  LBM_HD T added_tau(const T (&values)[Storage::values]) const {
    constexpr Real unit = 1 / Storage::scale;
    // The collision has added all of the body force: less half of it is the momentum rho u.
    const CellForce<Real> taken{true, Real(-2) * half_force.x, Real(-2) * half_force.y,
                                Real(-2) * half_force.z};
    const Sums<T> sums = Storage::density_momentum([&](int i) { return values[i]; });
    const T inverse = unit / (Real(1) + sums.drho * unit);
    const CellState<Real, T> s = cell_state(sums, taken, inverse);
    if constexpr (holds_moments<Storage>) {
      using namespace ten_moments;
      const auto less = [&](int i, Real factor, const T& j, const T& u) {
        return T(multiply_add(-j, u, factor * values[i]));
      };
      Stress<T> n{less(xx, 8, s.jx, s.ux), less(yy, 8, s.jy, s.uy), less(zz, 8, s.jz, s.uz),
                  less(xy, 4, s.jx, s.uy), less(xz, 4, s.jx, s.uz), less(yz, 4, s.jy, s.uz)};
      add_force_stress(n, s, taken);
      return turbulence.added(n, inverse);
    } else {
      return turbulence.added(stress_of(values, s, taken), inverse);
    }
  }
  // The force of the scalars, times Storage::scale. streamed: of each scalar.
  template <class T, int most>
  LBM_HD ForceVector<T> push(const ScalarMoments<T> (&streamed)[most]) const {
    ForceVector<T> sum{T{}, T{}, T{}};
    LBM_UNROLL
    for (int s = 0; s < most; ++s) {
      if (s >= count) break;
      sum.x = multiply_add(of[s].force[0], streamed[s].value, sum.x);
      sum.y = multiply_add(of[s].force[1], streamed[s].value, sum.y);
      sum.z = multiply_add(of[s].force[2], streamed[s].value, sum.z);
    }
    return sum;
  }
  // The collision. own: the scalar before the step; added: added_tau(), where turbulent.
  template <bool turbulent, class T>
  LBM_HD ScalarMoments<T> collided(int s, const ScalarMoments<T>& streamed, const T& own,
                                   const ForceVector<T>& momentum,
                                   [[maybe_unused]] const T& added) const {
    const Component& c = of[s];
    const T u[3] = {momentum.x, momentum.y, momentum.z};
    T value = streamed.value, square{};
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      value = multiply_add(-c.gradient[a], u[a], value);
      square = multiply_add(u[a], u[a], square);
    }
    square = multiply(c.carried * c.carried, square);
    const T least = multiply_add(Real(least_tau_of_square), square, T{} + Real(0.5));
    T given = T{} + c.tau, given_omega = T{} + c.omega;
    if constexpr (turbulent) {
      given = multiply_add(eddies[s], added, given);
      given_omega = reciprocal<Real>(given);
    }
    const T omega = least > given ? reciprocal<Real>(least) : given_omega;
    const T change = multiply(T(Real(1) - Real(0.5) * omega), T(value - own));
    ScalarMoments<T> next;
    next.value = value + c.source;
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      const T v = c.carried * u[a];
      const T away = multiply_add(next.value, v, T(-streamed.flux[a]));
      next.flux[a] = multiply_add(change, v, multiply_add(omega, away, streamed.flux[a]));
      if (c.bounded) next.flux[a] = cut(c, next.value, v, next.flux[a]);
    }
    return next;
  }
  // Cuts the flux along an axis to its bounds. v: the velocity that carries the scalar, along the
  // axis.
  template <class T>
  static LBM_HD T cut(const Component& c, const T& value, const T& v, const T& flux) {
    const T zero{}, above_low = value - c.low, below_high = c.high - value;
    const T from_low = Real(0.25) * T(above_low > zero ? above_low : zero);
    const T from_high = Real(0.25) * T(below_high > zero ? below_high : zero);
    const T low[2] = {T(multiply(c.low, v) - from_low), T(multiply(c.high, v) - from_high)};
    const T high[2] = {T(multiply(c.low, v) + from_low), T(multiply(c.high, v) + from_high)};
    T inside = flux;
    LBM_UNROLL
    for (int i = 0; i < 2; ++i) inside = inside > low[i] ? inside : low[i];
    LBM_UNROLL
    for (int i = 0; i < 2; ++i) inside = inside < high[i] ? inside : high[i];
    return inside;
  }
};

// step: the number of steps before the update.
template <class Storage>
static ScalarCells<Storage> make_scalar_cells(const Lattice& lattice,
                                              const BoundaryView& boundaries, std::int64_t step) {
  using Real = typename Storage::Real;
  ScalarCells<Storage> made{};
  if (lattice.scalars.empty()) return made;
  made.layout = lattice.layout;
  made.nz = lattice.nz;
  made.boundaries = boundaries;
  made.count = lattice.scalar_count();
  // Other random bits than those of the flow of this step.
  made.rounding = rounding_key(step) ^ 0x3c3c3c3cU;
  const auto scaled = [](double value) {
    return static_cast<Real>(value * double{Storage::scale});
  };
  const auto force = lattice.collision.force.at(static_cast<double>(step + 1));
  made.half_force = {scaled(force[0] / 2), scaled(force[1] / 2), scaled(force[2] / 2)};
  made.forced = {Real(0), static_cast<Real>(lattice.collision.omega),
                 rounding_key(step) ^ 0xc3c3c3c3U, ForceVector<Real>()};
  made.turbulence = Turbulence<Real>::of(lattice.collision);
  const float* by_place = boundaries.scalar_values;
  for (std::size_t s = 0; s < lattice.scalars.size(); ++s) {
    const ScalarSpec& spec = lattice.scalars[s];
    auto& component = made.of[s];
    const double capacity = spec.reference_capacity();
    const double tau = 0.5 + (1 / spec.omega - 0.5) / capacity;
    component.omega = static_cast<Real>(1 / tau);
    component.tau = static_cast<Real>(tau);
    component.source = scaled(spec.source);
    component.share = static_cast<Real>(capacity);
    component.carried = static_cast<Real>(1 / capacity);
    component.resistance = static_cast<Real>(capacity / scalar_diffusivity(spec));
    made.eddies[s] = static_cast<Real>(4 / (3 * spec.turbulent_prandtl * capacity));
    component.bounded = spec.bounds.has_value();
    if (spec.bounds) {
      component.low = scaled((*spec.bounds)[0]);
      component.high = scaled((*spec.bounds)[1]);
    }
    // Populations have this part of what a flux brings.
    const auto part = [&](ScalarBoundary kind) {
      return kind == ScalarBoundary::flux ? capacity : 1;
    };
    made.buoyant = made.buoyant || spec.is_buoyant();
    for (std::size_t a = 0; a < 3; ++a) {
      component.force[a] = static_cast<Real>(spec.buoyancy[a]);
      component.gradient[a] = scaled(spec.gradient[a]);
    }
    for (std::size_t f = 0; f < 6; ++f) {
      const ScalarFace& face = spec.faces[f];
      const double value =
          face.value +
          (face.function == nullptr ? 0 : face.function->at(static_cast<double>(step) + 0.5));
      component.faces[f] = {face.kind, scaled(value / part(face.kind)),
                            static_cast<Real>(face.coefficient / capacity),
                            scaled(1 / part(face.kind)), face.by_place ? by_place : nullptr};
      if (face.by_place) {
        by_place += face_cells(static_cast<int>(f), made.layout.nx, made.layout.ny, made.nz);
      }
      if (face.kind != ScalarBoundary::periodic) made.closed |= 1U << f;
    }
    for (const ScalarBody& body : spec.bodies) {
      (body.kind == ScalarBoundary::value ? component.held : component.giving) |= 1U << body.body;
      component.of_body[body.body].value = scaled(body.value / part(body.kind));
      component.of_body[body.body].coefficient = static_cast<Real>(body.coefficient / capacity);
    }
    for (const ScalarConductor& conductor : spec.conductors) {
      made.conducting = true;
      component.conducting |= 1U << conductor.body;
      auto& body = component.of_body[conductor.body];
      body.omega = static_cast<Real>(
          scalar_omega(scalar_diffusivity(spec) * conductor.conductivity / capacity));
      body.source = scaled(conductor.source);
      body.share = static_cast<Real>(capacity / conductor.capacity);
    }
  }
  return made;
}

}  // namespace lbm
