// The surface of a body that may move: interpolated bounce-back (Bouzidi, Firdaouss & Lallemand,
// Phys. Fluids 13 (2001) 3452, linear). p = opp(q) is the outgoing direction, d the share of the
// link at which the wall lies, u its velocity there:
//
//   f_q(x, t+1) = 2d f_p(x, t) + (1 - 2d) f_p(x + c_q, t) + 6 w_q c_q . u           d < 1/2
//   f_q(x, t+1) = (f_p(x, t) + 6 w_q c_q . u) / 2d + (1 - 1/2d) f_q(x, t)          d >= 1/2
#pragma once

#include "solver/boundary/conditions/periodic_density_drop.hpp"

namespace lbm {

// A link that enters a cell from a body.
struct BodyLink {
  int q;
  double d;          // from the cell to the wall, as a share of the link
  double arm[3];     // from the body's centre to the wall
  double u[3];       // of the wall there, cells per step
  double wall_term;  // 6 w c . u
};

// Faces that the link crosses on its way to x + c_q, and that are not periodic without a drop.
template <class Cell>
LBM_HD unsigned faces_behind(const Cell& cell, int q) {
  return cell.touched & entered_faces(d3q19::opposite(q)) & ~drop_faces(cell.params.boundaries);
}

// blocked: bits of the directions that enter the cell from bodies. Walls nearer than 1/2 need the
// population of the cell at x + c_q; where that is no fluid, the wall is taken at 1/2.
template <class Cell>
LBM_HD BodyLink make_body_link(const Cell& cell, int q, BlockedLink link, unsigned blocked) {
  const bool fluid_behind = (blocked >> d3q19::opposite(q) & 1U) == 0 &&
                            (faces_behind(cell, q) & ~cell.params.walls.free_slip) == 0;
  BodyLink result{q, wall_position(link), {}, {}, 0};
  if (result.d < 0.5 && !fluid_behind) result.d = 0.5;
  const BodyMotion& motion = cell.params.boundaries.bodies[body_of(link)];
  const double d = result.d;
  const double position[3] = {cell.x + 0.5 - d * d3q19::cx(q), cell.y + 0.5 - d * d3q19::cy(q),
                              cell.z + 0.5 - d * d3q19::cz(q)};
  double(&arm)[3] = result.arm;
  for (int a = 0; a < 3; ++a) arm[a] = position[a] - motion.center[a];
  for (int a = 0; a < 3; ++a) {
    const int i = (a + 1) % 3, j = (a + 2) % 3;
    result.u[a] = motion.velocity[a] + motion.angular_velocity[i] * arm[j] -
                  motion.angular_velocity[j] * arm[i];
  }
  result.wall_term = 6 * d3q19::weight<double>(q) * dot_c(q, result.u);
  return result;
}

template <class Cell>
LBM_HD typename Cell::Real interpolated_bounce_back(const Cell& cell, const BodyLink& link) {
  using Real = typename Cell::Real;
  const int q = link.q, outgoing = d3q19::opposite(q);
  const Real out = cell.populations[outgoing];
  if (link.d >= 0.5) {
    const auto share = static_cast<Real>(0.5 / link.d);
    return share * out + (Real(1) - share) * cell.populations[q] +
           cell.scaled(link.wall_term * (0.5 / link.d));
  }
  const auto share = static_cast<Real>(2 * link.d);
  const unsigned crossed = faces_behind(cell, q), drops = drop_faces(cell.params.boundaries);
  const Real drop =
      drops == 0
          ? Real(0)
          : cell.scaled(d3q19::weight<double>(q) * density_drop_across(cell, outgoing, drops));
  return share * out +
         (Real(1) - share) * (cell.load(link_source(outgoing, crossed, crossed)) + drop) +
         cell.scaled(link.wall_term);
}

}  // namespace lbm
