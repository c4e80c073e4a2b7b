// SPDX-License-Identifier: Apache-2.0

// Cells that change once more after the rest of a step: under a body force that depends on the
// place (ForceField, PorousZone), then in sponges. Neither reads or writes another cell.
#pragma once

#include <algorithm>
#include <cmath>

#include "solver/boundary/boundaries.hpp"
#include "solver/collision/cell_state.hpp"
#include "solver/core/host_device.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/step_record.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// A body force that depends on the place is added to the stored values of a cell, by the
// exact difference method (Kupershtokh, Medvedev & Karpov, Comput. Math. Appl. 58 (2009) 965): the
// collision sees no force, then the equilibrium of the velocity after the force takes the place of
// that before it. With the momentum m of what is stored and u = (m + F/2) / rho this adds
//   w_q (3 c_q . F + 9/2 (c_q c_q - 1/3) : (u F + F u - omega F F / (4 rho)))
// to population q. The last term is not in the paper: with it, and without a turbulence model, the
// populations are those of the force of Guo, Zheng & Shi (2002), which acts within a collision
// (general_collision.hpp).
//
// For one step, in the arithmetic of a storage policy. Passed to kernels.
template <class Storage>
struct ForcedCells {
  using Real = typename Storage::Real;
  Real factor = 0;  // of BoundaryView::forces, with Storage::scale
  Real omega = 0;
  std::uint32_t rounding = 0;      // see Storage::rounding
  ForceVector<Real> half_uniform;  // half of the force that the collision has added

  // The force of a cell: that of the field, and that of its zone. stored(i): value i of the cell.
  // bodies: where the forces on zones are added, or null; the caller adds the rest, which is in
  // `load`. All times Storage::scale.
  template <class Stored>
  LBM_HD ForceVector<Real> force_at(const BoundaryView& boundaries, int x, int y, int z,
                                    const Stored& stored, std::int64_t* bodies,
                                    BodyLoad& load) const {
    const ForceVector<Real> force = boundaries.with_force(ForceVector<Real>(), x, y, z, factor);
    const ZoneShare at = boundaries.zone_at(x, y, z);
    if (at.zone == nullptr) return force;
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const Sums<Real> sums = Storage::density_momentum(stored);
    const Real j[3] = {unit * (sums.jx - half_uniform.x + half * force.x),
                       unit * (sums.jy - half_uniform.y + half * force.y),
                       unit * (sums.jz - half_uniform.z + half * force.z)};
    const ForceVector<Real> of_zone =
        at.zone->on_fluid(Real(at.share), half, Real(1) + unit * sums.drho, j);
    if (bodies != nullptr)
      add_reaction(boundaries, at.zone->body, {x, y, z}, of_zone, bodies, load);
    return {force.x + Storage::scale * of_zone.x, force.y + Storage::scale * of_zone.y,
            force.z + Storage::scale * of_zone.z};
  }

  // Adds the force to the stored values of a cell, or of several. All of T times Storage::scale.
  template <class T>
  LBM_HD void push(T (&values)[Storage::values], const ForceVector<T>& force) const {
    constexpr Real unit = 1 / Storage::scale, half = Real(0.5);
    const Sums<T> sums = Storage::density_momentum([&](int i) { return values[i]; });
    const T inverse = unit / (Real(1) + sums.drho * unit);
    const T ux = multiply(T(sums.jx + half * force.x), inverse);
    const T uy = multiply(T(sums.jy + half * force.y), inverse);
    const T uz = multiply(T(sums.jz + half * force.z), inverse);
    const T less = multiply(inverse, Real(-0.25) * omega);
    // u_a F_b + u_b F_a - omega F_a F_b / (4 rho)
    const auto stress = [&](const T& ua, const T& ub, const T& fa, const T& fb) -> T {
      return multiply_add(T(multiply(less, fa)), fb, multiply_add(ua, fb, multiply(ub, fa)));
    };
    const Stress<T> p{stress(ux, ux, force.x, force.x), stress(uy, uy, force.y, force.y),
                      stress(uz, uz, force.z, force.z), stress(ux, uy, force.x, force.y),
                      stress(ux, uz, force.x, force.z), stress(uy, uz, force.y, force.z)};
    T g[Storage::Set::directions];
    if constexpr (holds_moments<Storage>) {
      // Its moments of orders 0 to 2 are 0, F and this stress.
      ten_moments::store<Real>(ten_moments::MomentSums<T>{T{}, force.x, force.y, force.z, p.xx,
                                                          p.yy, p.zz, p.xy, p.xz, p.yz},
                               g);
    } else {
      const T third = multiply(T(p.xx + p.yy + p.zz), Real(1.0 / 3));
      LBM_UNROLL
      for (int q = 0; q < Storage::Set::directions; ++q) {
        const T along = Real(3) * dot_c(q, force.x, force.y, force.z);
        const T both = multiply_add(T(contract_cc<Real>(q, p) - third), Real(4.5), along);
        g[q] = multiply(both, weight<typename Storage::Set, Real>(q));
      }
    }
    LBM_UNROLL
    for (int i = 0; i < Storage::values; ++i) values[i] += g[i];
  }

 private:
  // force: on the fluid of the cell.
  static LBM_HD void add_reaction(const BoundaryView& boundaries, int body, const int (&cell)[3],
                                  const ForceVector<Real>& force, std::int64_t* bodies,
                                  BodyLoad& load) {
    if (load.body != body) {
      load.add_to(bodies);
      load.clear(body);
    }
    const double f[3] = {-double{force.x}, -double{force.y}, -double{force.z}};
    double arm[3];
    boundaries.find_arm(body, {cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5}, arm);
    for (int a = 0; a < 3; ++a) {
      const int i = (a + 1) % 3, j = (a + 2) % 3;
      load.value[a] += fixed::from(f[a], fixed::force);
      load.value[3 + a] += fixed::from(arm[i] * f[j] - arm[j] * f[i], fixed::torque);
    }
  }
};

// host: the boundaries; null for none. step: before the update.
template <class Storage>
static ForcedCells<Storage> make_forced_cells(const Lattice& lattice, const Boundaries* host,
                                              std::int64_t step) {
  using Real = typename Storage::Real;
  if (host == nullptr || !host->has_force()) return {};
  const auto time = static_cast<double>(step + 1);
  const CellForce<Real> uniform = cell_force<Storage>(lattice.collision, time);
  constexpr Real half = Real(0.5);
  // Other random bits than those of the collision of this step.
  return {static_cast<Real>(host->force_factor(time) * double{Storage::scale}),
          static_cast<Real>(lattice.collision.omega),
          rounding_key(step) ^ 0x5a5a5a5aU,
          {half * uniform.x, half * uniform.y, half * uniform.z}};
}

// Cells in sponges (solver/lattice/lattice.hpp). The relaxation is done to what a step has stored
// of a cell: stored values, populations or moments, are linear functions of populations, so each
// relaxes towards the same function of the equilibrium.
//
// The sponges of a lattice for one step, in the arithmetic of a storage policy. Passed to kernels.
template <class Storage>
struct SpongeCells {
  using Real = typename Storage::Real;
  unsigned faces = 0;
  int n[3] = {};                         // cells of the box
  int cells = 0;                         // of a layer along its normal, the last one in part
  Real most_share = 0, inverse = 0;      // inverse: of the thickness
  std::uint32_t rounding = 0;            // see Storage::rounding
  Real far_field[Storage::values] = {};  // stored values, times Storage::scale

  LBM_HD bool any() const { return faces != 0; }
  // True if the layer at the lower (upper) face of an axis reaches cell i along that axis.
  LBM_HD bool at_low(int axis, int i) const { return (faces >> (2 * axis) & 1U) != 0 && i < cells; }
  LBM_HD bool at_high(int axis, int i) const {
    return (faces >> (2 * axis + 1) & 1U) != 0 && i >= n[axis] - cells;
  }
  LBM_HD bool reaches(int axis, int i) const { return at_low(axis, i) || at_high(axis, i); }
  // The part of the share that is due to the faces of an axis, for cell i along that axis.
  LBM_HD Real share(int axis, int i) const {
    Real sum = 0;
    if (at_low(axis, i)) sum += share_at(static_cast<Real>(i) + Real(0.5));
    if (at_high(axis, i)) sum += share_at(static_cast<Real>(n[axis] - i) - Real(0.5));
    return sum;
  }
  // Value v of a cell, or of several, after the relaxation. T, Share: Real or vectors of it.
  template <class T, class Share>
  LBM_HD T relaxed(int v, const T& value, const Share& share) const {
    return multiply_add(share, T(far_field[v] - value), value);
  }

 private:
  LBM_HD Real share_at(Real distance) const {
    const Real inside = Real(1) - multiply(distance, inverse);
    return inside > 0 ? multiply(multiply(most_share, inside), inside) : Real(0);
  }
};

// step: before the update.
template <class Storage>
static SpongeCells<Storage> make_sponge_cells(const Lattice& lattice, std::int64_t step) {
  using Real = typename Storage::Real;
  const Sponge& sponge = lattice.sponge;
  SpongeCells<Storage> made;
  if (!sponge.any()) return made;
  made.faces = sponge.faces;
  made.n[0] = lattice.layout.nx;
  made.n[1] = lattice.layout.ny;
  made.n[2] = lattice.nz;
  made.cells = static_cast<int>(std::ceil(sponge.thickness));
  made.most_share = static_cast<Real>(sponge.most_share);
  made.inverse = static_cast<Real>(1 / sponge.thickness);
  // Other random bits than those of the collision of this step.
  made.rounding = rounding_key(step) ^ 0xa5a5a5a5U;
  const double factor = sponge.factor.at(static_cast<double>(step + 1));
  double g[Storage::Set::directions];
  const Moments<double> far{sponge.drho, factor * sponge.velocity[0], factor * sponge.velocity[1],
                            factor * sponge.velocity[2]};
  is_maxwellian(lattice.collision.kind) ? maxwell_equilibrium(far, g) : equilibrium(far, g);
  if constexpr (holds_moments<Storage>) ten_moments::project<double>(g);
  for (int v = 0; v < Storage::values; ++v) {
    made.far_field[v] = static_cast<Real>(g[v] * double{Storage::scale});
  }
  return made;
}

}  // namespace lbm
