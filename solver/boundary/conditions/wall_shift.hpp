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
#include "solver/collision/stress_filter.hpp"

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
  return d3q19::weight<double>(link.e.q) * link.e.c[along] * cell.params.wall_offset *
         double{cells.density} * curvature;
}

}  // namespace lbm
