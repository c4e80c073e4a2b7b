// SPDX-License-Identifier: Apache-2.0

// The second pass: cells with links to bodies, or to faces whose boundary condition the main update
// does not do. It reads the same planes as the main update, overwrites the cells and sums up the
// forces on bodies.
#pragma once

#include "solver/boundary/conditions/boundary_conditions.hpp"
#include "solver/boundary/conditions/interpolated_bounce_back.hpp"
#include "solver/boundary/conditions/multireflection.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

// A cell at a face or a body, as boundary conditions see it. Offsets: CellOffsets, or FluidOffsets
// where only fluid cells are stored. any_model: false in kernels of collisions that are
// not is_maxwellian().
template <class Storage, class Offsets = CellOffsets, bool any_model = !holds_moments<Storage>>
struct BoundaryCell {
  using Real = typename Storage::Real;
  using Set = typename Storage::Set;
  using Scalar = Real;  // the type of one number, as Real is here
  static constexpr Real scale = Storage::scale;
  const StepParams<Storage>& params;
  const InputPlanes<Storage>& in;
  const Offsets& at;
  int x, y, z;
  unsigned touched;  // closed faces that the cell touches
  bool at_body;
  unsigned resting = 0;  // bits of the directions that enter from solid cells without a list
  Real populations[Storage::Set::directions] = {};  // after the collision of the step before
  OutgoingWave<Real> outgoing_wave = {};
  EnteringFlow<Real> entering_flow = {};
  CellsAtWall<Real> cells_at_wall = {};
  // Half of the body force at this cell. It stands for that of neighbours, too: a difference of
  // third order where it depends on the place.
  ForceVector<Real> half_force = params.half_force;

  LBM_HD_LARGE Real load(int q, int dx, int dy, int dz) const { return load_inline(q, dx, dy, dz); }
  // The same where all arguments are constants: on a CPU several times as fast.
  LBM_HD Real load_inline(int q, int dx, int dy, int dz) const {
    const int place = at.of(dx, dy, dz);
    if constexpr (!Offsets::all_stored) {
      if (place < 0) return 0;  // solid cells are zero where all cells are stored
    }
    return population_at<Storage>(in.plane[1 + dz], place, params.layout.pitch, q);
  }
  LBM_HD Real load(const LinkSource& from) const {
    return load(from.q, from.d[0], from.d[1], from.d[2]);
  }
  LBM_HD Real pull(const Direction& e) const { return load(e.q, -e.c[0], -e.c[1], -e.c[2]); }
  LBM_HD bool maxwellian() const { return any_model && params.maxwellian; }
  // A part of a population in the units of load().
  static LBM_HD Real scaled(double value) { return static_cast<Real>(value) * scale; }
  // The coordinate of a neighbour along an axis, wrapped as load() does.
  LBM_HD int inside(int axis, int d) const {
    const int n = axis == 0 ? params.layout.nx : (axis == 1 ? params.layout.ny : params.nz);
    const int i = (axis == 0 ? x : (axis == 1 ? y : z)) + d;
    return i < 0 ? n - 1 : (i >= n ? 0 : i);
  }
  LBM_HD bool is_solid(const int (&d)[3]) const {
    return params.boundaries.is_solid(inside(0, d[0]), inside(1, d[1]), inside(2, d[2]));
  }
  // Cells between this one and a face.
  LBM_HD int distance(int face) const {
    const int axis = face / 2;
    const int i = axis == 0 ? x : (axis == 1 ? y : z);
    const int n = axis == 0 ? params.layout.nx : (axis == 1 ? params.layout.ny : params.nz);
    return (face & 1) == 0 ? i : n - 1 - i;
  }
  LBM_HD std::int64_t face_index(int face) const {
    return lbm::face_index(face, params.layout.nx, params.layout.ny, x, y, z);
  }
  // The same for a neighbour in the plane of the face.
  LBM_HD std::int64_t face_index(int face, const int (&d)[3]) const {
    return lbm::face_index(face, params.layout.nx, params.layout.ny, inside(0, d[0]),
                           inside(1, d[1]), inside(2, d[2]));
  }
  LBM_HD_LARGE Moments<Real> moments() const {
    return params.moments_of(density_momentum(populations), half_force);
  }
  // Density and momentum of a neighbour; zero for a cell that is not stored.
  LBM_HD_LARGE Sums<Real> sums_at(int dx, int dy, int dz) const {
    const int place = at.of(dx, dy, dz);
    if constexpr (!Offsets::all_stored) {
      if (place < 0) return {};
    }
    return Storage::density_momentum([&](int i) {
      return Storage::load_scaled(in.plane[1 + dz][i * params.layout.pitch + place]);
    });
  }
  LBM_HD Moments<Real> moments_at(int dx, int dy, int dz) const {
    return params.moments_of(sums_at(dx, dy, dz), half_force);
  }
  // The i-th value that is stored of the cell, from the step before.
  LBM_HD Real own(int i) const {
    return Storage::load_scaled(in.plane[1][i * params.layout.pitch + at.of(0, 0, 0)]);
  }
};

// The population that enters from a body. load: null where forces are not counted.
template <class Cell>
LBM_HD typename Cell::Real incoming_from_body(
    const Cell& cell, const Direction& e, BlockedLink blocked_link, unsigned blocked,
    BodyLoad* load, MassSurplus<typename Cell::Real, typename Cell::Set>& surplus) {
  const BodyLink link = make_body_link(cell, e, blocked_link, blocked, load != nullptr);
  const auto out = cell.populations[e.opposite], in = reflected_by_body(cell, link);
  const bool conserves_mass = cell.params.boundaries.bodies[body_of(blocked_link)].conserves_mass;
  if (conserves_mass) surplus.add(cell, link, in, out);
  if (load != nullptr) add_momentum_exchange(cell, link, in, out, *load);
  return in;
}

// Gathers the incoming populations of a boundary cell. linked: its entry in `list`, the cells at
// bodies, or null. bodies: where to add forces, or null where they are not counted; the caller adds
// the rest, which is in `load`.
template <class Storage, class Offsets, bool any_model>
LBM_HD void gather_boundary_cell(BoundaryCell<Storage, Offsets, any_model>& cell,
                                 const LinkedCell* linked, const CellList* list,
                                 std::int64_t* bodies, BodyLoad& load,
                                 typename Storage::Real (&g)[Storage::Set::directions]) {
  if constexpr (Offsets::all_stored) {
    const BoundaryView& view = cell.params.boundaries;
    if (view.forces != nullptr) {
      cell.half_force =
          view.with_force(cell.half_force, cell.x, cell.y, cell.z, cell.params.half_factor);
    }
  }
  const unsigned in_list = linked == nullptr ? 0U : linked->blocked;
  unsigned resting = 0;
  if constexpr (!Offsets::all_stored) resting = cell.resting & ~in_list;
  const unsigned at_body = in_list | resting;
  unsigned blocked = at_body;
  LBM_UNROLL
  for (int q = 0; q < Storage::Set::directions; ++q) {
    cell.populations[q] = cell.load_inline(q, 0, 0, 0);
    if ((cell.touched & entered_faces(q)) != 0) blocked |= 1U << q;
    g[q] = (blocked >> q & 1U) != 0 ? cell.populations[q]
                                    : cell.load_inline(q, -cx(q), -cy(q), -cz(q));
  }
  const BlockedLink* link =
      linked == nullptr ? nullptr : cell.params.boundaries.links + list->first_link + linked->first;
  MassSurplus<typename Storage::Real, typename Storage::Set> surplus;
  for (unsigned left = blocked; left != 0; left &= left - 1) {
    const int q = lowest_bit(left);
    const Direction e = direction(q);
    if constexpr (!Offsets::all_stored) {
      if ((resting >> q & 1U) != 0) {
        g[q] = cell.populations[e.opposite] + typename Storage::Real(0);
        continue;
      }
    }
    if ((at_body >> q & 1U) == 0) {
      g[q] = incoming_through_faces(cell, e, cell.touched & entered_faces(e));
      continue;
    }
    if (bodies != nullptr && body_of(*link) != load.body) {
      load.add_to(bodies);
      load.clear(body_of(*link));
    }
    BodyLoad* const counted = bodies == nullptr ? nullptr : &load;
    g[q] = incoming_from_body(cell, e, *link, at_body, counted, surplus);
    ++link;
  }
  surplus.remove_from(g);
}

}  // namespace lbm
