// Cells at plain walls with CollisionKind::regularised_filtered, which need no second pass: their
// populations are gathered as at any wall; here is the shift of the wall (wall_shift.hpp).
//
// Cells: one cell, or several of a row at once. Scalar and Real, the types of one number and of
// that of all cells; StoragePolicy; params; moments() and moments_at(dx, dy, dz) of the step
// before.
#pragma once

#include "solver/boundary/conditions/wall_shift.hpp"

namespace lbm {

// What a plain wall adds to the populations that it reflects, along one axis: a link with the
// component c_t there gets w_q c_t times this. Times Storage::scale.
template <class Cells>
LBM_HD typename Cells::Real shift_of_plain_wall(const Cells& cells, int face, int along) {
  using Scalar = typename Cells::Scalar;
  const auto& params = cells.params;
  const int number = params.boundaries.condition_of[face];
  const auto at_wall = cells_at_wall(cells, face, along);
  const double wall = params.factor[number] * params.boundaries.conditions[number].velocity[along];
  const typename Cells::Real curvature = wall_curvature<Scalar>(static_cast<Scalar>(wall), at_wall);
  const Scalar offset =
      static_cast<Scalar>(params.collision.filter().wall_offset) * Cells::StoragePolicy::scale;
  return offset * (at_wall.density * curvature);
}

// The faces of x, y or z.
LBM_HD constexpr unsigned faces_of_axis(int axis) { return 3U << (2 * axis); }

// Adds the shifts of its walls to the incoming populations g of one cell. touched: the closed faces
// that it touches.
template <class Cell>
LBM_HD void shift_walls_of(const Cell& cell, unsigned touched,
                           typename Cell::Real (&g)[d3q19::directions]) {
  using Real = typename Cell::Real;
  const auto& params = cell.params;
  const BoundaryView& view = params.boundaries;
  const unsigned closed = touched & ~drop_faces(view);
  LBM_UNROLL
  for (int normal = 0; normal < 3; ++normal) {
    const unsigned face_bit = closed & faces_of_axis(normal);
    const bool low = face_bit == (1U << (2 * normal)), high = face_bit == (2U << (2 * normal));
    if ((!low && !high) || (view.shifted_faces & face_bit) == 0) continue;
    const int face = 2 * normal + (high ? 1 : 0);
    LBM_UNROLL
    for (int i = 1; i < 3; ++i) {
      const int along = (normal + i) % 3;
      if ((closed & faces_of_axis(along)) != 0) continue;
      const Real shift = shift_of_plain_wall(cell, face, along);
      LBM_UNROLL
      for (int q = 1; q < d3q19::directions; ++q) {
        const d3q19::Direction e = d3q19::direction(q);
        if (e.c[normal] == 0 || e.c[along] == 0) continue;
        if ((e.c[normal] > 0) == low) {
          g[q] += d3q19::weight<Real>(q) * static_cast<Real>(e.c[along]) * shift;
        }
      }
    }
  }
}

}  // namespace lbm
