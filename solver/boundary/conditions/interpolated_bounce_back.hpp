// SPDX-License-Identifier: Apache-2.0

// The surface of a body that may move, and the force of the fluid on it.
//
// Interpolated bounce-back (Bouzidi, Firdaouss & Lallemand,
// Phys. Fluids 13 (2001) 3452, linear). p = opp(q) is the outgoing direction, d the share of the
// link at which the wall lies, u its velocity there:
//
//   f_q(x, t+1) = 2d f_p(x, t) + (1 - 2d) (f_p(x + c_q, t) - s) + 6 w_q c_q . u        d < 1/2
//   f_q(x, t+1) = (f_p(x, t) + 6 w_q c_q . u) / 2d + (1 - 1/2d) (f_q(x, t) - s)       d >= 1/2
//
// With the equilibrium of Maxwell its odd part stands in place of c_q . u (equilibrium_parts()), at
// the velocity in the middle of the link: so a rotating body creates no mass. A body cut by a wall
// would: it keeps c_q . u, less BodyImage::mean_flux.
//
// s = 3 w_q c_q . F: the body force of the step in a population that leaves the wall. A population
// that the wall returns at t+1 has no such part. With s, fluid under gravity stays at rest.
#pragma once

#include "solver/boundary/conditions/periodic_density_drop.hpp"
#include "solver/lattice/step_record.hpp"

namespace lbm {

// A link that enters a cell from a body.
struct BodyLink {
  Direction e;
  double d;                // from the cell to the wall, as a share of the link
  double arm[3];           // from the body's centre to the wall; 0 where no one asks for it
  double u[3];             // of the wall there, cells per step
  double wall_term;        // 6 w c . u, less that of BodyImage::mean_flux
  double multireflection;  // share of the wall's velocity; 0: linear interpolation
};

// Closed faces between x and x + c, without periodic ones with a density drop.
template <class Cell>
LBM_HD unsigned faces_behind(const Cell& cell, const Direction& e) {
  return cell.touched & entered_faces(reversed(e)) & ~drop_faces(cell.params.boundaries);
}

// blocked: bits of the directions that enter the cell from bodies. Walls nearer than 1/2 need the
// population of the cell at x + c_q; where that is no fluid, the wall is taken at 1/2. with_arm:
// find the arm, for a torque, also where all bodies are at rest.
template <class Cell>
LBM_HD BodyLink make_body_link(const Cell& cell, const Direction& e, BlockedLink link,
                               unsigned blocked, bool with_arm) {
  const BoundaryView& view = cell.params.boundaries;
  const bool fluid_behind = (blocked >> e.opposite & 1U) == 0 &&
                            (faces_behind(cell, e) & ~cell.params.walls.free_slip) == 0;
  const BodyMotion& motion = view.bodies[body_of(link)];
  BodyLink result{e, wall_position(link), {}, {}, 0, 0};
  // A mirrored cell has no moments of its own.
  if (fluid_behind && faces_behind(cell, e) == 0) result.multireflection = motion.multireflection;
  if (result.d < 0.5 && !fluid_behind) result.d = 0.5;
  if (!with_arm && !view.bodies_move) return result;
  const double d = result.d;
  const double position[3] = {cell.x + 0.5 - d * e.c[0], cell.y + 0.5 - d * e.c[1],
                              cell.z + 0.5 - d * e.c[2]};
  view.find_arm(body_of(link), position, result.arm);
  if (!view.bodies_move) return result;
  const double factor = motion.factor == 0 ? 1 : cell.params.factor[motion.factor];
  for (int a = 0; a < 3; ++a) result.u[a] = factor * motion.velocity_at(result.arm, a);
  const double flux = view.mean_flux(body_of(link));
  double along = dot_c(e, result.u) - factor * flux;
  if (cell.maxwellian() && flux == 0) {
    double middle[3], u[3];
    for (int a = 0; a < 3; ++a) middle[a] = result.arm[a] + (d - 0.5) * e.c[a];
    for (int a = 0; a < 3; ++a) u[a] = factor * motion.velocity_at(middle, a);
    along = maxwell<typename Cell::Set>(e.c, u).odd;
  }
  result.wall_term = 6 * weight<typename Cell::Set, double>(e.q) * along;
  return result;
}

// The population of the outgoing direction in the cell behind, x + c_q.
template <class Cell>
LBM_HD typename Cell::Real outgoing_behind(const Cell& cell, const Direction& e) {
  using Real = typename Cell::Real;
  const unsigned drops = drop_faces(cell.params.boundaries);
  const Real drop = drops == 0 ? Real(0)
                               : cell.scaled(weight<typename Cell::Set, double>(e.q) *
                                             density_drop_across(cell, reversed(e), drops));
  return cell.load(mirrored_source(reversed(e), faces_behind(cell, e))) + drop;
}

// 3 w c . F of the step.
template <class Cell>
LBM_HD typename Cell::Real force_part(const Cell& cell, const Direction& e) {
  using Real = typename Cell::Real;
  const auto& half = cell.half_force;
  Real along = static_cast<Real>(e.c[0]) * half.x;
  along += static_cast<Real>(e.c[1]) * half.y;
  along += static_cast<Real>(e.c[2]) * half.z;
  return Real(6) * weight<typename Cell::Set, Real>(e.q) * along;
}

template <class Cell>
LBM_HD typename Cell::Real interpolated_bounce_back(const Cell& cell, const BodyLink& link) {
  using Real = typename Cell::Real;
  const Direction& e = link.e;
  const Real out = cell.populations[e.opposite];
  if (link.d >= 0.5) {
    const auto share = static_cast<Real>(0.5 / link.d);
    return share * out + (Real(1) - share) * (cell.populations[e.q] - force_part(cell, e)) +
           cell.scaled(link.wall_term * (0.5 / link.d));
  }
  const auto share = static_cast<Real>(2 * link.d);
  return share * out + (Real(1) - share) * (outgoing_behind(cell, e) - force_part(cell, e)) +
         cell.scaled(link.wall_term);
}

// Interpolated bounce-back does not conserve mass. The surplus of a cell, over its links to bodies
// that ask for it (BodyMotion::conserves_mass),
//
//   m = sum_q (f_q(x, t+1) - f_opp(q)(x, t) - 6 w_q c_q . u),   j = sum_q (...) u
// is removed as an equilibrium that moves with the wall: f_q -= w_q (m + 3 c_q . j). Removed from
// fluid at rest instead, it would take momentum in every frame in which the wall moves.
template <class Real, class Set>
struct MassSurplus {
  Real mass = 0, momentum[3] = {};

  template <class Cell>
  LBM_HD void add(const Cell& cell, const BodyLink& link, Real in, Real out) {
    const Real more = in - out - cell.scaled(link.wall_term);
    mass += more;
    for (int a = 0; a < 3; ++a) momentum[a] += more * static_cast<Real>(link.u[a]);
  }
  LBM_HD void remove_from(Real (&g)[Set::directions]) const {
    const Real(&j)[3] = momentum;
    g[0] -= weight<Set, Real>(0) * mass;
    LBM_UNROLL
    for (int q = 1; q < Set::directions; ++q) {
      g[q] -= weight<Set, Real>(q) * (mass + Real(3) * dot_c(q, j[0], j[1], j[2]));
    }
  }
};

// The force of the fluid on a body: Galilean invariant momentum exchange (Wen, Zhang, Tu, Wang &
// Fang, J. Comput. Phys. 266 (2014) 161). A link gives the body
//
//   (c_p - u) f_p(x, t) - (c_q - u) f_q(x, t+1),   p = opp(q), u: velocity of the wall
// The pressure of density 1 is left out: its sum over a closed surface is zero. A surface may
// continue beyond a periodic face with a drop of density: there the mean density of both sides is
// left out.
//
// in, out: the populations that the link brings back and takes out.
template <class Cell>
LBM_HD void add_momentum_exchange(const Cell& cell, const BodyLink& link, typename Cell::Real in,
                                  typename Cell::Real out, BodyLoad& load) {
  const int(&c)[3] = link.e.c;
  const double both = (double{out} + double{in}) / double{Cell::scale};
  const double lost = (double{out} - double{in}) / double{Cell::scale};
  const unsigned drops = drop_faces(cell.params.boundaries);
  const double drop = drops == 0 ? 0
                                 : weight<typename Cell::Set, double>(link.e.q) *
                                       density_drop_across(cell, link.e, drops);
  double force[3];
  for (int a = 0; a < 3; ++a) {
    force[a] = c[a] * (drop - both) - link.u[a] * lost;
    load.value[a] += fixed::from(force[a], fixed::force);
  }
  for (int a = 0; a < 3; ++a) {
    const int i = (a + 1) % 3, j = (a + 2) % 3;
    const double torque = link.arm[i] * force[j] - link.arm[j] * force[i];
    load.value[3 + a] += fixed::from(torque, fixed::torque);
  }
}

}  // namespace lbm
