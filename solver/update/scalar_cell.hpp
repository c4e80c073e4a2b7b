// SPDX-License-Identifier: Apache-2.0

// The scalars of one cell: how they stream in at faces and bodies, and the update of a whole cell
// (solver/update/scalar_cells.hpp has the scheme).
#pragma once

#include "solver/lattice/step_record.hpp"
#include "solver/update/scalar_cells.hpp"

namespace lbm {

// A cell whose scalars stream in one by one: a cell at a face, at a body, or any other. Offsets:
// CellOffsets, or FluidAxisOffsets where only fluid cells are stored.
template <class Storage, class Offsets = CellOffsets>
struct ScalarCell {
  using Real = typename Storage::Real;
  const ScalarCells<Storage>& cells;
  const InputPlanes<Storage>& in;
  const Offsets& at;
  int x, y, z;
  unsigned touched;  // bits of the faces of the box beside the cell, those of cells.closed
  unsigned solid;    // bits of the directions 1 to 6 whose source is solid
  GivenHeat* heat;   // gets what bodies give to the cell; null: not counted

  LBM_HD ScalarCell(const ScalarCells<Storage>& all, const InputPlanes<Storage>& planes,
                    const Offsets& offsets, int i, int j, int k, GivenHeat* counts = nullptr)
      : cells(all),
        in(planes),
        at(offsets),
        x(i),
        y(j),
        z(k),
        touched(touched_faces(all.closed, i, j, k, all.layout.nx, all.layout.ny, all.nz)),
        solid(0),
        heat(counts) {
    if (all.boundaries.mask_of == nullptr) return;
    LBM_UNROLL
    for (int q = 1; q <= 6; ++q) {
      if ((touched >> (q - 1) & 1U) == 0 && is_solid(-cx(q), -cy(q), -cz(q))) solid |= 1U << q;
    }
  }
  // All populations come from fluid cells: no face that is not periodic and no solid cell is near.
  LBM_HD bool is_between_cells() const { return (touched | solid) == 0; }
  LBM_HD static int wrapped(int i, int n) { return i < 0 ? n - 1 : (i == n ? 0 : i); }
  LBM_HD bool is_solid(int dx, int dy, int dz) const {
    if constexpr (!Offsets::all_stored) {
      return at.of(dx, dy, dz) < 0;
    } else {
      return cells.boundaries.is_solid(wrapped(x + dx, cells.layout.nx),
                                       wrapped(y + dy, cells.layout.ny), wrapped(z + dz, cells.nz));
    }
  }
  // The body of a neighbour, -1 in the fluid. Only where a body conducts.
  LBM_HD int body_at(int dx, int dy, int dz) const {
    return cells.boundaries.body_of_cell(wrapped(x + dx, cells.layout.nx),
                                         wrapped(y + dy, cells.layout.ny),
                                         wrapped(z + dz, cells.nz));
  }
  // A stored value of a neighbour: 0 the scalar, 1 to 3 its flux.
  LBM_HD Real load(int s, int value, int dx, int dy, int dz) const {
    const auto* plane = dz < 0 ? in.plane[0] : (dz > 0 ? in.plane[2] : in.plane[1]);
    const int place = (ScalarCells<Storage>::first(s) + value) * cells.layout.pitch;
    return Storage::load_scaled(plane[place + at.of(dx, dy, dz)]);
  }
  LBM_HD Real own(int s) const { return load(s, 0, 0, 0, 0); }
  // Population q of the neighbour.
  LBM_HD Real population(int s, int q, int dx, int dy, int dz) const {
    const int axis = (q - 1) / 2;
    return ScalarCells<Storage>::population(q, load(s, 0, dx, dy, dz),
                                            load(s, 1 + axis, dx, dy, dz));
  }

  // The population of scalar s that streams in along direction q. inside: the cell belongs to a
  // conductor.
  LBM_HD Real entering(int s, int q, bool inside) const {
    // Direction q enters through face q - 1.
    if ((touched >> (q - 1) & 1U) != 0) {
      if (cells.of[s].faces[q - 1].kind != ScalarBoundary::periodic) {
        const auto cell = face_index(q - 1, cells.layout.nx, cells.layout.ny, x, y, z);
        const auto& face = cells.face_at(s, q - 1, cell);
        return ScalarCells<Storage>::through_face(face, face.value_at(cell),
                                                  population(s, opposite(q), 0, 0, 0),
                                                  population(s, q, 0, 0, 0));
      }
    } else if ((solid >> q & 1U) != 0) {
      const auto& c = cells.of[s];
      const int body = cells.conducting ? body_at(-cx(q), -cy(q), -cz(q)) : -1;
      if (!c.conducts(body)) {
        if (!inside) return from_body(s, q);
        const Real out = population(s, opposite(q), 0, 0, 0);
        return c.holds(body) ? Real(0.25) * c.of_body[body].value - out : out;
      }
      if (!inside) return given(s, body, from_cell(s, q), population(s, opposite(q), 0, 0, 0));
    }
    return from_cell(s, q);
  }
  LBM_HD Real from_cell(int s, int q) const {
    return population(s, q, -cx(q), -cy(q), -cz(q)) + cells.gained(s, q);
  }
  // The population `enters`, which a body gives for `out`.
  LBM_HD Real given(int s, int body, Real enters, Real out) const {
    if (heat == nullptr) return enters;
    const double unit = double{cells.of[s].share} / double{Storage::scale};
    heat->add(body, s, unit * (double{enters} - double{out}));
    return enters;
  }
  LBM_HD Real from_body(int s, int q) const {
    const Real out = population(s, opposite(q), 0, 0, 0);
    if ((cells.of[s].held | cells.of[s].giving) == 0) return out;
    const BoundaryView& view = cells.boundaries;
    const CellList* const list = view.list(z);
    const LinkedCell* const linked = list == nullptr ? nullptr : find(*list);
    if (linked == nullptr || (linked->blocked >> q & 1U) == 0) return out;
    const int before = count_bits(linked->blocked & ((1U << q) - 1));
    const BlockedLink* const link = view.links + list->first_link + linked->first + before;
    const int body = body_of(*link);
    const Real d = static_cast<Real>(wall_position(*link));
    if (cells.of[s].gives(body)) {
      const Real slant =
          list->to_slants == 0 ? Real(1) : static_cast<Real>(slant_of(link[list->to_slants]));
      const auto& surface = cells.of[s].of_body[body];
      return given(s, body, cells.of[s].from_surface(surface, slant, d, out), out);
    }
    if (!cells.of[s].holds(body)) return out;
    const Real value = cells.of[s].of_body[body].value;
    if (d >= Real(0.5)) {
      const Real share = Real(0.5) / d;
      return given(s, body,
                   multiply(Real(1) - share, population(s, q, 0, 0, 0)) +
                       multiply(share, Real(0.25) * value - out),
                   out);
    }
    // Needs the next cell away from the wall; without one the wall counts as half a cell away.
    const bool alone = (solid >> opposite(q) & 1U) != 0 || (touched >> (opposite(q) - 1) & 1U) != 0;
    if (alone) return given(s, body, Real(0.25) * value - out, out);
    const Real behind = population(s, opposite(q), cx(q), cy(q), cz(q));
    return given(
        s, body,
        Real(0.25) * value - multiply(Real(2) * d, out) - multiply(Real(1) - Real(2) * d, behind),
        out);
  }
  // The entry of the cell in the list of its plane, sorted by y, then x; null if it has none.
  LBM_HD const LinkedCell* find(const CellList& list) const {
    const LinkedCell* const cell = cells.boundaries.cells + list.first_cell;
    int low = 0, high = list.cells;
    while (low < high) {
      const int middle = (low + high) / 2;
      const bool is_before =
          static_cast<int>(cell[middle].y) < y ||
          (static_cast<int>(cell[middle].y) == y && static_cast<int>(cell[middle].x) < x);
      if (is_before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const bool found = low < list.cells && static_cast<int>(cell[low].x) == x &&
                       static_cast<int>(cell[low].y) == y;
    return found ? cell + low : nullptr;
  }

  LBM_HD ScalarMoments<Real> streamed(int s, Real share, bool inside) const {
    return ScalarCells<Storage>::streamed(
        cells.of[s], share, own(s), [&](int axis) { return load(s, 1 + axis, 0, 0, 0); },
        [&](int q) { return entering(s, q, inside); });
  }
  LBM_HD ScalarMoments<Real> streamed(int s) const { return streamed(s, cells.of[s].share, false); }
  // The scalar and its flux in a cell of the conductor `body` after the step.
  LBM_HD ScalarMoments<Real> conducted(int s, int body) const {
    const auto& b = cells.of[s].of_body[body];
    ScalarMoments<Real> next = streamed(s, b.share, true);
    next.value += b.source;
    LBM_UNROLL
    for (int a = 0; a < 3; ++a) {
      const auto& c = cells.of[s];
      next.flux[a] = multiply_add(-b.omega, next.flux[a], next.flux[a]);
      if (c.bounded) next.flux[a] = ScalarCells<Storage>::cut(c, next.value, Real(0), next.flux[a]);
    }
    return next;
  }
};

// The scalar and its flux that stream into a cell away from faces and solid cells: without
// branches, so that a GPU loads all values at once.
template <class Storage>
LBM_HD ScalarMoments<typename Storage::Real> streamed_between_cells(
    const ScalarCells<Storage>& cells, const InputPlanes<Storage>& in, const CellOffsets& at, int s,
    typename Storage::Real own) {
  const int pitch = cells.layout.pitch, first = ScalarCells<Storage>::first(s) * pitch;
  const auto own_flux = [&](int axis) {
    return Storage::load_scaled(in.plane[1][first + (1 + axis) * pitch + at.of(0, 0, 0)]);
  };
  const auto entering = [&](int q) {
    const auto* const from = in.plane[1 - cz(q)] + first + at.of(-cx(q), -cy(q), 0);
    const auto here = ScalarCells<Storage>::population(
        q, Storage::load_scaled(from[0]), Storage::load_scaled(from[(1 + (q - 1) / 2) * pitch]));
    return here + cells.gained(s, q);
  };
  return ScalarCells<Storage>::streamed(cells.of[s], cells.of[s].share, own, own_flux, entering);
}

// Stores a scalar of a cell.
template <class Storage>
LBM_HD void store_scalar(const ScalarCells<Storage>& cells, int s,
                         const ScalarMoments<typename Storage::Real>& next,
                         typename Storage::Value* out) {
  const int pitch = cells.layout.pitch;
  const auto rounding =
      Storage::rounding(cells.rounding + static_cast<std::uint32_t>(s), next.value);
  auto* const to = out + ScalarCells<Storage>::first(s) * pitch;
  to[0] = Storage::store_rounded(next.value, rounding);
  LBM_UNROLL
  for (int a = 0; a < 3; ++a) {
    to[(1 + a) * pitch] = Storage::store_rounded(next.flux[a], rounding);
  }
}

// The scalars of a solid cell after a step: zero where its body does not conduct them.
template <class Storage>
LBM_HD void update_solid_scalars(const ScalarCells<Storage>& cells, const InputPlanes<Storage>& in,
                                 int x, int y, int z, typename Storage::Value* out) {
  const CellOffsets at(cells.layout, x, y);
  const ScalarCell<Storage> cell(cells, in, at, x, y, z);
  const int body = cells.conducting ? cell.body_at(0, 0, 0) : -1;
  for (int s = 0; s < cells.count; ++s) {
    ScalarMoments<typename Storage::Real> next{};
    if (cells.of[s].conducts(body)) next = cell.conducted(s, body);
    store_scalar(cells, s, next, out);
  }
}

// Collides and stores the scalars of a fluid cell, and pushes its flow. streamed: of each scalar;
// own: the scalars before the step; values: the stored values of the flow after the step, times
// Storage::scale; out: the first value of the cell, behind whose flow the scalars are stored.
// turbulent: the flow has a turbulence model.
template <bool turbulent, class Storage, int most>
LBM_HD void finish_scalars(const ScalarCells<Storage>& cells,
                           const ScalarMoments<typename Storage::Real> (&streamed)[most],
                           const typename Storage::Real (&own)[most],
                           typename Storage::Real (&values)[Storage::values],
                           typename Storage::Value* out) {
  using Real = typename Storage::Real;
  ForceVector<Real> push{};
  if (cells.buoyant) push = cells.push(streamed);
  Real added = 0;
  if constexpr (turbulent) added = cells.added_tau(values);
  const ForceVector<Real> flow = cells.flow(values, push);
  if (cells.buoyant) cells.forced.push(values, push);
  LBM_UNROLL
  for (int s = 0; s < most; ++s) {
    if (s >= cells.count) break;
    const auto next = cells.template collided<turbulent>(s, streamed[s], own[s], flow, added);
    store_scalar(cells, s, next, out);
  }
}

// Updates the scalars of a fluid cell whose flow is stored already, and pushes the stored flow.
// between_cells: the cell is_between_cells().
template <bool between_cells, class Storage, class Offsets>
LBM_HD void update_fluid_scalars(const ScalarCell<Storage, Offsets>& cell,
                                 typename Storage::Value* out) {
  using Real = typename Storage::Real;
  const ScalarCells<Storage>& cells = cell.cells;
  const int pitch = cells.layout.pitch;
  Real values[Storage::values];
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) values[v] = Storage::load_scaled(out[v * pitch]);
  ScalarMoments<Real> streamed[most_scalars] = {};
  Real own[most_scalars] = {};
  // One copy of the code for all scalars, which the compiler would make four of; no index that is
  // known only at run time, which would put the arrays into local memory of a GPU.
  LBM_NO_UNROLL
  for (int s = 0; s < cells.count; ++s) {
    const Real before = cell.own(s);
    ScalarMoments<Real> next;
    if constexpr (between_cells) {
      next = streamed_between_cells(cells, cell.in, cell.at, s, before);
    } else {
      next = cell.streamed(s);
    }
    LBM_UNROLL
    for (int i = 0; i < most_scalars; ++i) {
      if (i != s) continue;
      own[i] = before;
      streamed[i] = next;
    }
  }
  if (cells.turbulence.any()) {
    finish_scalars<true>(cells, streamed, own, values, out);
  } else {
    finish_scalars<false>(cells, streamed, own, values, out);
  }
  if (!cells.buoyant) return;
  const auto rounding = Storage::rounding(cells.forced.rounding, values[0]);
  LBM_UNROLL
  for (int v = 0; v < Storage::values; ++v) {
    out[v * pitch] = Storage::store_rounded(values[v], rounding);
  }
}

// The same where all cells are stored: for fluid cells that are between_cells, or for all others.
// heat: as in ScalarCell.
template <bool between_cells, class Storage>
LBM_HD void update_scalars(const ScalarCells<Storage>& cells, const InputPlanes<Storage>& in, int x,
                           int y, int z, typename Storage::Value* out, GivenHeat* heat) {
  const bool is_solid = cells.boundaries.is_solid(x, y, z);
  const CellOffsets at(cells.layout, x, y);
  const ScalarCell<Storage> cell(cells, in, at, x, y, z, heat);
  if (between_cells != (!is_solid && cell.is_between_cells())) return;
  if (is_solid) {
    update_solid_scalars(cells, in, x, y, z, out);
  } else {
    update_fluid_scalars<between_cells>(cell, out);
  }
}

}  // namespace lbm
