// SPDX-License-Identifier: Apache-2.0

// The shift of a wall, for CollisionKind::regularised_filtered: halfway bounce-back of regularised
// populations puts the wall at a place that depends on the viscosity. A link through one wall, with
// the normal n, and along one other axis t gets the term
//
//   w_q c_t (2 tau - 7/4) rho K,   K = 4 (2/3 u_wall - u_0 + 1/3 u_1)
// so that the wall of a parabolic profile lies half a cell outside. K is the second derivative of
// u_t along n; u_0: of the cell, u_1: of its neighbour away from the wall. Above tau = 7/8 both are
// averaged with their neighbours along t, as a mode that alternates along the wall would grow.
// Derivation: docs/lab/method_regularised_walls.md.
//
// A link and the one with the opposite c_t get opposite terms, so no mass is made. A cell where one
// of the two is something else has no shift: at bodies, and at faces normal to t.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"
#include "solver/boundary/conditions/periodic_density_drop.hpp"
#include "solver/collision/regularised.hpp"

namespace lbm {

// Density of the first cell at a wall, and the velocities of the first two along an axis: links of
// a cell share them. Real: of one cell, or of several.
template <class Real>
struct CellsAtWall {
  int face = -1, along = 0;
  Real density, first, second;
};

template <class Cell>
LBM_HD CellsAtWall<typename Cell::Real> cells_at_wall(const Cell& cell, int face, int along) {
  const int normal = face / 2, inwards = (face & 1) != 0 ? -1 : 1;
  const auto at = [&](int depth, int beside) {
    const auto part = [&](int axis) {
      return axis == normal ? depth * inwards : (axis == along ? beside : 0);
    };
    return cell.moments_at(part(0), part(1), part(2));
  };
  const auto velocity = [&](const auto& m) {
    return along == 0 ? m.ux : (along == 1 ? m.uy : m.uz);
  };
  const auto own = cell.moments();
  CellsAtWall<typename Cell::Real> cells{face, along, own.rho(), velocity(own), velocity(at(1, 0))};
  if (cell.params.wall_offset > 0) {
    using Scalar = typename Cell::Scalar;
    const auto smooth = [&](const typename Cell::Real& here, int depth) {
      return Scalar(0.5) * here + Scalar(0.25) * (velocity(at(depth, -1)) + velocity(at(depth, 1)));
    };
    cells.first = smooth(cells.first, 0);
    cells.second = smooth(cells.second, 1);
  }
  return cells;
}

// K. wall: velocity of the wall along the axis.
template <class Scalar, class Real>
LBM_HD Real wall_curvature(Scalar wall, const CellsAtWall<Real>& cells) {
  const Real of_wall = Real{} + multiply(Scalar(2.0 / 3), wall);
  return Scalar(4) * multiply_add(Scalar(1.0 / 3), cells.second, Real(of_wall - cells.first));
}

// The term of the link, not multiplied by Storage::scale.
template <class Cell>
LBM_HD double wall_shift(Cell& cell, const FaceLink& link) {
  const unsigned closed = cell.touched & ~drop_faces(cell.params.boundaries);
  const unsigned crossed = link.crossed & closed;
  const int normal = link.face / 2;
  const auto faces_of = [](int axis) { return 3U << (2 * axis); };
  if (cell.at_body || crossed != (1U << link.face)) return 0;
  if ((closed & faces_of(normal)) != crossed) return 0;
  const int other = (normal + 1) % 3;
  const int along = link.e.c[other] != 0 ? other : (normal + 2) % 3;
  if (link.e.c[along] == 0 || (closed & faces_of(along)) != 0) return 0;
  auto& cells = cell.cells_at_wall;
  if (cells.face != link.face || cells.along != along) {
    cells = cells_at_wall(cell, link.face, along);
  }
  using Real = typename Cell::Real;
  const auto number = link.condition - cell.params.boundaries.conditions;
  const double wall = cell.params.factor[number] * link.condition->velocity[along];
  const double curvature = double{wall_curvature<Real>(static_cast<Real>(wall), cells)};
  return weight<typename Cell::Set, double>(link.e.q) * link.e.c[along] * cell.params.wall_offset *
         double{cells.density} * curvature;
}

// Cells at plain walls with CollisionKind::regularised_filtered, which need no second pass: their
// populations are gathered as at any wall, and the shift is added. With moments it is added to the
// sums over populations, which the collision begins with.
//
// Cells: one cell, or several of a row at once. Scalar and Real, the types of one number and of
// that of all cells; StoragePolicy; params; moments() and moments_at(dx, dy, dz) of the step
// before.
//
// The shift of a plain wall along one axis: the wall adds w_q c_t times the shift to a population
// that it reflects, where c_t is the component of the link along the axis. Times Storage::scale.
template <class Cells>
LBM_HD typename Cells::Real shift_of_plain_wall(const Cells& cells, int face, int along) {
  using Scalar = typename Cells::Scalar;
  const auto& params = cells.params;
  const int number = params.boundaries.condition_of[face];
  const auto at_wall = cells_at_wall(cells, face, along);
  const double wall = params.factor[number] * params.boundaries.conditions[number].velocity[along];
  const typename Cells::Real curvature = wall_curvature<Scalar>(static_cast<Scalar>(wall), at_wall);
  const Scalar offset = static_cast<Scalar>(params.wall_offset) * Cells::StoragePolicy::scale;
  return offset * (at_wall.density * curvature);
}

// The faces of x, y or z.
LBM_HD constexpr unsigned faces_of_axis(int axis) { return 3U << (2 * axis); }

// Adds the shift of the links of a wall to sums over incoming populations. low: the wall is at the
// lower end of the axis.
template <class Real, class T>
LBM_HD void add_shift(ten_moments::MomentSums<T>& sums, int normal, int along, bool low,
                      const T& shift) {
  const T momentum = multiply(Real(2.0 / 36), shift), stress = low ? momentum : -momentum;
  (along == 0 ? sums.jx : (along == 1 ? sums.jy : sums.jz)) += momentum;
  (normal + along == 1 ? sums.xy : (normal + along == 2 ? sums.xz : sums.yz)) += stress;
}

// Calls visit(normal, along, low, shift) for the shifts of a cell's walls. touched: the closed
// faces that it touches.
template <class Cell, class Visitor>
LBM_HD void visit_shifts(const Cell& cell, unsigned touched, const Visitor& visit) {
  const BoundaryView& view = cell.params.boundaries;
  const unsigned closed = touched & ~drop_faces(view);
  LBM_UNROLL
  for (int normal = 0; normal < 3; ++normal) {
    const unsigned face_bit = closed & faces_of_axis(normal);
    const bool low = face_bit == (1U << (2 * normal)), high = face_bit == (2U << (2 * normal));
    if ((!low && !high) || (view.shifted_faces & face_bit) == 0) continue;
    LBM_UNROLL
    for (int i = 1; i < 3; ++i) {
      const int along = (normal + i) % 3;
      if ((closed & faces_of_axis(along)) != 0) continue;
      visit(normal, along, low, shift_of_plain_wall(cell, 2 * normal + (high ? 1 : 0), along));
    }
  }
}

// Adds the shift of one wall to incoming populations.
template <class Real, class T, int directions>
LBM_HD void add_shift(T (&g)[directions], int normal, int along, bool low, const T& shift) {
  LBM_UNROLL
  for (int q = 1; q < directions; ++q) {
    const Direction e = direction(q);
    if (e.c[normal] == 0 || e.c[along] == 0 || (e.c[normal] > 0) != low) continue;
    g[q] +=
        weight<typename SetOf<directions>::Set, Real>(q) * static_cast<Real>(e.c[along]) * shift;
  }
}

// Collides g, the incoming populations of cells, where visit(add) calls add(normal, along, low,
// shift) for each shift. own: see FiltersStress.
template <class Storage, class Collision, class T, class Own, class Visit>
LBM_HD void collide_at_shifted_walls(const Collision& collision, T (&g)[Storage::Set::directions],
                                     const Own& own, const Visit& visit) {
  using Real = typename Storage::Real;
  if constexpr (holds_moments<Storage>) {
    auto sums = ten_moments::sums_of(g);
    visit([&](int normal, int along, bool low, const T& shift) {
      add_shift<Real>(sums, normal, along, low, shift);
    });
    collision.relax(sums, Collision::template old_stress<T>(own), g);
  } else {
    visit([&](int normal, int along, bool low, const T& shift) {
      add_shift<Real>(g, normal, along, low, shift);
    });
    collision(g, own);
  }
}

}  // namespace lbm
