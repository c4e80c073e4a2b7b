// SPDX-License-Identifier: Apache-2.0

// Cells at plain walls with CollisionKind::regularised_filtered, which need no second pass: their
// populations are gathered as at any wall; here is the shift of the wall (wall_shift.hpp). With
// moments it is added to the sums over populations, which the collision begins with.
//
// Cells: one cell, or several of a row at once. Scalar and Real, the types of one number and of
// that of all cells; StoragePolicy; params; moments() and moments_at(dx, dy, dz) of the step
// before.
#pragma once

#include "solver/boundary/conditions/wall_shift.hpp"

namespace lbm {

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
template <class Real, class T>
LBM_HD void add_shift(T (&g)[d3q19::directions], int normal, int along, bool low, const T& shift) {
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; ++q) {
    const d3q19::Direction e = d3q19::direction(q);
    if (e.c[normal] == 0 || e.c[along] == 0 || (e.c[normal] > 0) != low) continue;
    g[q] += d3q19::weight<Real>(q) * static_cast<Real>(e.c[along]) * shift;
  }
}

// Collides g, the incoming populations of cells, where visit(add) calls add(normal, along, low,
// shift) for each shift. own: see FiltersStress.
template <class Storage, class Collision, class T, class Own, class Visit>
LBM_HD void collide_at_shifted_walls(const Collision& collision, T (&g)[d3q19::directions],
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
