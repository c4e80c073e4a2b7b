// SPDX-License-Identifier: Apache-2.0

// A wall, resting or moving, and a face with a prescribed velocity: halfway bounce-back (Ladd,
// J. Fluid Mech. 271 (1994) 285).
//
//   f_q(x, t+1) = f_opp(q)(x, t) + 6 w_q rho_0 c_q . u,   rho_0 = 1
// (with the equilibrium of Maxwell its odd part in place of c_q . u: equilibrium_parts())
// with populations after the collision and u in the middle of the step, where the link crosses the
// face. Where it crosses two such faces, u is the common component of their velocities
// (common_component): a free stream along a moving floor is undisturbed, and a lid drives nothing
// through the edge of a resting wall. So it is where it crosses the edge between two patches that
// only slide, and where the face ends at a body, which counts as resting. Its component normal to a
// crossed face with free slip is zero. So the two links through a place have the same velocity, and
// moving walls of a closed box make no mass.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"
#include "solver/boundary/conditions/wall_shift.hpp"
#include "solver/boundary/inlet_turbulence.hpp"

namespace lbm {

struct VelocityWall {
  template <class Cell>
  LBM_HD typename Cell::Real operator()(Cell& cell, const FaceLink& link) const {
    double u[3] = {};
    unsigned left = link.same;
    LBM_NO_UNROLL
    for (int face = link.face; face >= 0; left &= left - 1) {
      double of_face[3];
      velocity(cell, face, link.e, of_face);
      for (int a = 0; a < 3; ++a) {
        u[a] = face == link.face ? of_face[a] : common_component(u[a], of_face[a]);
      }
      face = left != 0 ? lowest_bit(left) : -1;
    }
    for (unsigned others = link.crossed & ~link.same & ~(1U << link.face); others != 0;
         others &= others - 1) {
      const int other = lowest_bit(others);
      if (kind_of(cell, other) == BoundaryKind::slip) u[other / 2] = 0;
    }
    double term =
        6 * weight<typename Cell::Set, double>(link.e.q) * equilibrium_parts(cell, link.e, u).odd;
    if (cell.params.filters_stress && link.condition->kind == BoundaryKind::wall) {
      term += wall_shift(cell, link);
    }
    return cell.populations[link.e.opposite] + cell.scaled(term);
  }

 private:
  // Cells per step. A diagonal link crosses the face between two of its cells.
  template <class Cell>
  static LBM_HD void velocity(const Cell& cell, int face, const Direction& e, double (&u)[3]) {
    const BoundaryView& view = cell.params.boundaries;
    const std::int64_t index = cell.face_index(face);
    const int number = condition_at(view, face, index);
    const BoundaryConditionView& condition = view.conditions[number];
    const double factor = cell.params.factor[number];
    const LinkSource side = tangential_source(cell, e, face);
    const int(&d)[3] = side.d;
    const std::int64_t next = cell.face_index(face, d);
    const int next_number = condition_at(view, face, next);
    const BoundaryConditionView& beside = view.conditions[next_number];
    const bool same = next_number == number;
    double other[3];
    for (int a = 0; a < 3; ++a) {
      u[a] = factor * steady(view, condition, index, a);
      other[a] = cell.params.factor[next_number] * steady(view, beside, next, a);
    }
    const bool at_body = cell.at_body && cell.is_solid(d);
    const bool both_slide =
        is_velocity_wall(beside.kind) && u[face / 2] == 0 && other[face / 2] == 0;
    for (int a = 0; a < 3; ++a) {
      if (same && condition.profile >= 0) u[a] = (u[a] + other[a]) / 2;
      if (!same && both_slide) u[a] = common_component(u[a], other[a]);
      if (at_body && d[a] != 0) u[a] = 0;
    }
    if (condition.modes == 0) return;
    float fluctuation[3] = {};
    add_turbulence(view.modes + condition.first_mode, condition.modes,
                   static_cast<float>(cell.x) + 0.5F * static_cast<float>(1 + d[0]),
                   static_cast<float>(cell.y) + 0.5F * static_cast<float>(1 + d[1]),
                   static_cast<float>(cell.z) + 0.5F * static_cast<float>(1 + d[2]),
                   cell.params.step, static_cast<float>(factor), fluctuation);
    for (int a = 0; a < 3; ++a) u[a] += double{fluctuation[a]};
  }
  // A component without its factor of time and turbulence.
  static LBM_HD double steady(const BoundaryView& view, const BoundaryConditionView& condition,
                              std::int64_t index, int axis) {
    if (condition.profile < 0) return condition.velocity[axis];
    return double{view.profiles[condition.profile + 3 * index + axis]};
  }
};

}  // namespace lbm
