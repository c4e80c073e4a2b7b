// SPDX-License-Identifier: Apache-2.0

// The update of one cell: pull the populations that stream into it, collide, store. Written
// once: the CPU backend feeds it rows and batches of cells, the GPU backend one or two cells per
// thread.
//
// Level s of a plane is the lattice after s steps, post-collision:
//   g_q(x, t+1) = collide( g_q(x - c_q, t) )     where x - c_q is fluid
//                 collide( g_opp(q)(x, t) + wall term )   where it is not
//                 (solver/lattice/boundary_condition.hpp)
// A second pass overwrites the cells at bodies and at faces with other boundary conditions
// (boundary_cell.hpp). Pulling at plain walls and free slip exists four times, for speed:
// LinkGather with and without free slip here, gather_across (update_cells.hpp), RowSources with
// load_at_ends (solver/backend/cpu). tests/solver/update/test_gathers.cpp holds them against each
// other.
#pragma once

#include "solver/boundary/boundaries.hpp"
#include "solver/collision/collisions.hpp"
#include "solver/lattice/lattice.hpp"
#include "solver/lattice/storage.hpp"

namespace lbm {

// gather(q) gives the incoming shifted population of direction q, own(i) the i-th value that is
// stored before the step, scatter(i, value) takes the i-th value to store, in order; all gathers
// come before the first scatter. Real: of one cell, or of several.
template <class Storage, class Real, class Collision, class Gather, class Own, class Scatter>
LBM_HD void update_cell(const Collision& collision, const Gather& gather, const Own& own,
                        const Scatter& scatter) {
  Real g[Storage::Set::directions];
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) g[q] = gather(q);
  collide_cell(collision, g, own);
  LBM_UNROLL
  for (int i = 0; i < Storage::values; ++i) scatter(i, g[i]);
}

// The parameters of kernels for one step, in the arithmetic of a storage policy: those that do not
// depend on the collision model. Populations, wall terms and forces are multiplied by
// Storage::scale from here on.
template <class Storage>
struct StepParams {
  using Real = typename Storage::Real;
  PlaneLayout layout;
  int nz;
  Walls<Real, Storage::Set::directions> walls;
  BoundaryView boundaries;
  std::int64_t step;                       // before the update
  std::uint32_t rounding;                  // of the step, see Storage::rounding
  ForceVector<Real> half_force;            // half of the body force that is the same everywhere
  Real half_factor;                        // half of the factor of BoundaryView::forces
  double factor[max_boundary_conditions];  // of velocities, in the middle of the step
  Real omega;                              // 1 / tau, without a turbulence model
  bool filters_stress;                     // the collision does (regularised.hpp)
  double wall_offset;                      // see wall_shift.hpp
  double odd_time;                         // CollisionSpec::odd_time()
  bool maxwellian;                         // is_maxwellian()

  // Density and velocity from sums after the collision, times Storage::scale: these contain all of
  // the body force, the velocity half of it. T: of one cell, or of several.
  template <class T>
  LBM_HD Moments<T> moments_of(const Sums<T>& s) const {
    return moments_of(s, half_force);
  }
  // half: of the body force at the cell.
  template <class T>
  LBM_HD Moments<T> moments_of(const Sums<T>& s, const ForceVector<Real>& half) const {
    constexpr Real unit = 1 / Storage::scale;
    const T drho = s.drho * unit, inverse = unit / (Real(1) + drho);
    return {drho, T(multiply(T(s.jx - half.x), inverse)), T(multiply(T(s.jy - half.y), inverse)),
            T(multiply(T(s.jz - half.z), inverse))};
  }
};

// With the collision. free_slip: whether some face may have free slip; kernels without it are
// faster, as they have fewer branches at the ends of rows.
template <class Storage, class Collision = Bgk<Storage>, bool free_slip = true>
struct UpdateParams : StepParams<Storage> {
  Collision collision;

  static constexpr bool has_free_slip = free_slip;
  LBM_HD unsigned free_slip_faces() const { return free_slip ? this->walls.free_slip : 0U; }
};

// host: the boundary data that `boundaries` points into, or a copy of which; null for none. step:
// before the update.
template <class Storage, class Collision = Bgk<Storage>, bool free_slip = true>
UpdateParams<Storage, Collision, free_slip> make_update_params(const Lattice& lattice,
                                                               const BoundaryView& boundaries = {},
                                                               const Boundaries* host = nullptr,
                                                               std::int64_t step = 0) {
  using Real = typename Storage::Real;
  const auto time = static_cast<double>(step);
  UpdateParams<Storage, Collision, free_slip> params{
      {lattice.layout,
       lattice.nz,
       {},
       boundaries,
       step,
       rounding_key(step),
       {},
       host == nullptr ? Real(0)
                       : static_cast<Real>(host->force_factor(time) / 2 * double{Storage::scale}),
       {},
       static_cast<Real>(lattice.collision.omega),
       lattice.collision.kind == CollisionKind::regularised_filtered,
       StressFilter<Real>::of(lattice.collision).wall_offset,
       lattice.collision.odd_time(),
       is_maxwellian(lattice.collision.kind)},
      Collision::of(lattice.collision, time + 1)};
  const Walls<double>* walls = &lattice.walls;
  Walls<double> now;
  if (lattice.walls_change) walls = &(now = lattice.walls_at(time + 0.5));
  params.walls.faces = walls->faces;
  params.walls.free_slip = walls->free_slip;
  for (int q = 0; q < Storage::Set::directions; ++q) {
    for (int s = 0; s < wall_sets(Storage::Set::directions); ++s) {
      params.walls.term[q][s] = static_cast<Real>(walls->term[q][s]) * Storage::scale;
    }
  }
  if (lattice.collision.force.any()) {
    const auto force = lattice.collision.force.at(time);
    const auto half = [&](double f) { return static_cast<Real>(f / 2 * double{Storage::scale}); };
    params.half_force = {half(force[0]), half(force[1]), half(force[2])};
  }
  if (host != nullptr) host->factors(time + 0.5, params.factor);
  return params;
}

// Calls visitor(Storage{}, std::type_identity<Collision>{}) for the lattice's storage and
// collision.
template <class Visitor>
decltype(auto) visit_update(const Lattice& lattice, Visitor&& visitor) {
  return visit_storage(lattice, [&](auto storage) {
    using Storage = decltype(storage);
    return visit_collision<Storage>(lattice.collision,
                                    [&](auto collision) { return visitor(storage, collision); });
  });
}

// The planes z - 1, z and z + 1 of the level before; a plane beyond a wall is never read.
template <class Storage>
struct InputPlanes {
  const typename Storage::Value* plane[3];
};

// Offsets of a cell's neighbours inside a plane, periodic: [0] is x - 1 (y - 1), [1] x, [2] x + 1.
struct CellOffsets {
  static constexpr bool all_stored = true;
  int column[3];
  int row[3];  // where the row begins

  LBM_HD CellOffsets(const PlaneLayout& layout, int x, int y)
      : column{x == 0 ? layout.nx - 1 : x - 1, x, x == layout.nx - 1 ? 0 : x + 1},
        row{(y == 0 ? layout.ny - 1 : y - 1) * static_cast<int>(layout.row),
            y * static_cast<int>(layout.row),
            (y == layout.ny - 1 ? 0 : y + 1) * static_cast<int>(layout.row)} {}
  // rows: offsets of the rows y - 1, y and y + 1.
  LBM_HD CellOffsets(const PlaneLayout& layout, int x, const int (&rows)[3])
      : column{x == 0 ? layout.nx - 1 : x - 1, x, x == layout.nx - 1 ? 0 : x + 1},
        row{rows[0], rows[1], rows[2]} {}
  // Offset of a neighbour in its plane, in values.
  LBM_HD int of(int dx, int dy, int /*dz*/) const { return row[1 + dy] + column[1 + dx]; }
};

// Gathers the populations of a cell of the main update: follows each link to its source, across
// periodic faces, walls and free slip.
template <class Params, class Storage>
struct LinkGather {
  const Params& params;
  const InputPlanes<Storage>& in;
  const CellOffsets& at;
  unsigned touched;  // closed faces of the box that the cell touches

  LBM_HD typename Storage::Real operator()(int q) const {
    if constexpr (!Params::has_free_slip) return walls_only(q);
    const LinkSource from = source_of(q);
    return with_term(q, from, load(q, from));
  }
  LBM_HD LinkSource source_of(int q) const {
    return link_source(q, touched & entered_faces(q), params.free_slip_faces());
  }
  // The two parts of operator(): load() loads a population, with_term() adds the term of a wall.
  LBM_HD typename Storage::Real load(int q, const LinkSource& from) const {
    // The source is beside the cell as that of q is, or not beside it: so no index is a variable.
    const int column = from.d[0] == 0 ? at.column[1] : at.column[1 - cx(q)];
    const int row = from.d[1] == 0 ? at.row[1] : at.row[1 - cy(q)];
    const auto* plane = from.d[2] == 0 ? in.plane[1] : in.plane[1 - cz(q)];
    return population_at<Storage>(plane, row + column, params.layout.pitch, from.q);
  }
  LBM_HD typename Storage::Real with_term(int q, const LinkSource& from,
                                          typename Storage::Real value) const {
    return from.walls != 0 ? value + params.walls.term[q][wall_set(q, from.walls)] : value;
  }
  // For walls alone. Written without LinkSource, and apart from the gather with free slip: either
  // cost the plain kernel 6 % on an H100.
  LBM_HD typename Storage::Real walls_only(int q) const {
    const unsigned crossed = touched & entered_faces(q);
    const bool blocked = crossed != 0;
    const int pitch = params.layout.pitch;
    const auto* plane = blocked ? in.plane[1] : in.plane[1 - cz(q)];
    const int beside = at.row[1 - cy(q)] + at.column[1 - cx(q)];
    const int own = at.row[1] + at.column[1];
    typename Storage::Real value;
    if constexpr (holds_moments<Storage>) {
      value = population_at<Storage>(plane, blocked ? own : beside, pitch, q, blocked);
    } else {
      const int fluid_source = q * pitch + beside;
      const int wall_source = opposite(q) * pitch + own;
      value = Storage::load_scaled(plane[blocked ? wall_source : fluid_source]);
    }
    return crossed != 0 ? value + params.walls.term[q][wall_set(q, crossed)] : value;
  }
};
template <class Params, class Storage>
LinkGather(const Params&, const InputPlanes<Storage>&, const CellOffsets&, unsigned)
    -> LinkGather<Params, Storage>;

}  // namespace lbm
