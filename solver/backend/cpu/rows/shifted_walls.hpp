// SPDX-License-Identifier: Apache-2.0

// The shift of plain walls with CollisionKind::regularised_filtered, for a vector of cells at a
// time (solver/boundary/conditions/shifted_walls.hpp), after the main update has gathered their
// populations.
#pragma once

#include "solver/backend/cpu/rows/lanes.hpp"
#include "solver/backend/cpu/rows/row_sources.hpp"
#include "solver/boundary/conditions/shifted_walls.hpp"

namespace lbm::cpu {
namespace {  // one copy per instruction set, never merged by the linker

// A vector of cells of a row, as cells_at_wall() needs them.
template <class Params, class Storage>
struct RowCells {
  using L = Lanes<Storage>;
  using Scalar = typename Storage::Real;
  using Real = typename L::Vector;
  using StoragePolicy = Storage;
  const Params& params;
  const RowSources<Storage>& from;
  int x;  // of the first one

  // Density and velocity, with half of the body force, of neighbours at a distance.
  [[gnu::noinline]] Moments<Real> moments_at(int dx, int dy, int dz) const {
    const auto* row = from.in.plane[1 + dz] + from.begins[1 + dy];
    return params.moments_of(
        Storage::density_momentum([&](int i) { return load(row + i * from.pitch, dx); }));
  }
  LBM_HD Moments<Real> moments() const { return moments_at(0, 0, 0); }

 private:
  // Beyond the ends of the row: periodic.
  LBM_HD Real load(const typename Storage::Value* row, int dx) const {
    const int nx = params.layout.nx;
    if (dx == 0 || (x + dx >= 0 && x + dx + L::count <= nx)) return L::load(row + x + dx);
    Real vector{};
    for (int i = 0; i < L::count; ++i) {
      const int column = x + i + dx;
      vector[i] = Storage::load_scaled(row[column < 0 ? nx - 1 : (column < nx ? column : 0)]);
    }
    return vector;
  }
};

// One for the cell of a row at `column`, zero for the others; x: of the first lane.
template <class Storage>
LBM_HD typename Lanes<Storage>::Vector lane_of(int column, int x) {
  typename Lanes<Storage>::Vector lanes{};
  const int lane = column - x;
  if (lane >= 0 && lane < Lanes<Storage>::count) lanes[lane] = 1;
  return lanes;
}

// Calls add(normal, along, low, shift) for both shifts of one wall. lanes: one where the cell
// touches the wall, else zero. touched: the closed faces that the whole row touches.
template <class Params, class Storage, class Add>
[[gnu::noinline]] void visit_shifts_of_wall(const RowCells<Params, Storage>& cells, int face,
                                            unsigned touched, unsigned closed,
                                            const typename Lanes<Storage>::Vector& lanes,
                                            const Add& add) {
  using Real = typename Storage::Real;
  using Vector = typename Lanes<Storage>::Vector;
  const int normal = face / 2, nx = cells.params.layout.nx;
  const bool between_two =
      normal == 0 ? nx == 1 : (touched & faces_of_axis(normal)) != (1U << face);
  if (between_two) return;
  for (int along = 0; along < 3; ++along) {
    if (along == normal || (touched & faces_of_axis(along)) != 0) continue;
    Vector here = lanes;
    if (along == 0 && (closed & x_min) != 0) here *= Real(1) - lane_of<Storage>(0, cells.x);
    if (along == 0 && (closed & x_max) != 0) here *= Real(1) - lane_of<Storage>(nx - 1, cells.x);
    add(normal, along, (face & 1) == 0, Vector(here * shift_of_plain_wall(cells, face, along)));
  }
}

// Collides the cells from x on, of which some touch shifted walls. g: their incoming populations.
template <class Params, class Storage>
[[gnu::noinline]] void collide_at_walls(const Params& params, const RowSources<Storage>& from,
                                        int x, VectorG<Storage>& g, PackedCells<Storage>& packed) {
  using Vector = typename Lanes<Storage>::Vector;
  const BoundaryView& view = params.boundaries;
  const RowCells<Params, Storage> cells{params, from, x};
  const unsigned closed = view.closed_faces & ~drop_faces(view);
  const unsigned touched =
      touched_faces(closed, -1, from.y, from.z, params.layout.nx, params.layout.ny, params.nz);
  WallShifts<Storage> shifts;
  const auto add = [&](int normal, int along, bool low, const Vector& shift) {
    shifts.shifts[shifts.count++] = {normal, along, low, shift};
  };
  for (int face = 0; face < 6; ++face) {
    if ((view.shifted_faces >> face & 1U) == 0) continue;
    if (face >= 2 && (touched >> face & 1U) == 0) continue;
    const Vector lanes =
        face >= 2 ? Vector{} + 1 : lane_of<Storage>(face == 0 ? 0 : params.layout.nx - 1, x);
    visit_shifts_of_wall(cells, face, touched, closed, lanes, add);
  }
  params.collision.collide_at_walls(shifts, g, from.own() + x, from.pitch, params.rounding, packed);
}

// True if cells of the vector from x on may touch a shifted wall.
template <class Params, class Storage>
LBM_HD bool at_shifted_walls(const Params& params, const RowSources<Storage>& from, int x) {
  const unsigned faces = params.boundaries.shifted_faces;
  const int last = params.layout.nx - 1 - x;
  return from.shifted || ((faces & x_min) != 0 && x == 0) ||
         ((faces & x_max) != 0 && last >= 0 && last < Lanes<Storage>::count);
}

}  // namespace
}  // namespace lbm::cpu
