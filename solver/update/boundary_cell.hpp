// The second pass: cells whose links end at bodies or at faces with rules of their own. It stores
// over what the first one left in them, reads the same planes, and sums up the forces on bodies.
#pragma once

#include "solver/lattice/step_record.hpp"
#include "solver/update/boundary_link.hpp"

namespace lbm {

// Force and torque on one body, as in a record (step_record.hpp).
struct BodyLoad {
  int body = -1;
  std::int64_t value[6] = {};

  LBM_HD void clear(int next) {
    body = next;
    for (std::int64_t& v : value) v = 0;
  }
  // bodies: where the six numbers of body 0 are.
  LBM_HD void add_to(std::int64_t* bodies) const {
    for (int i = 0; i < 6 && body >= 0; ++i) {
      if (value[i] != 0) add_shared(bodies + 6 * body + i, value[i]);
    }
  }
};

// Mass that comes in beyond what is due, and its momentum: that of the wall where it came in.
template <class Real>
struct Surplus {
  Real mass = 0, momentum[3] = {};
};

// Interpolated bounce-back at a wall that may move (Bouzidi, Firdaouss & Lallemand, Phys. Fluids 13
// (2001) 3452, linear), and the momentum that the link gives to the body in the form that does not
// depend on the frame (Wen, Zhang, Tu, Wang & Fang, J. Comput. Phys. 266 (2014) 161). The pressure
// of density 1 is left out: it adds to nothing on a closed surface. At a face with a drop of
// density a surface goes on beyond it, where the density is another by the drop: there the mean of
// both is left out.
template <class Storage, class Collision>
LBM_HD typename Storage::Real from_body(const BoundaryCell<Storage, Collision>& cell, int q,
                                        BlockedLink link, unsigned blocked, BodyLoad* load,
                                        Surplus<typename Storage::Real>& surplus) {
  using Real = typename Storage::Real;
  const int to_wall = d3q19::opposite(q);
  const int c[3] = {d3q19::cx(q), d3q19::cy(q), d3q19::cz(q)};
  double d = wall_position(link);
  const auto w = d3q19::weight<double>(q);
  // Near walls use the cell beyond; where that is no fluid the middle has to do.
  const unsigned drops = drop_faces(cell.params.boundaries);
  const unsigned crossed = cell.touched & entered_faces(to_wall) & ~drops;
  const bool beyond_is_fluid =
      (blocked >> to_wall & 1U) == 0 && (crossed & ~cell.params.walls.slip) == 0;
  if (d < 0.5 && !beyond_is_fluid) d = 0.5;
  const BodyMotion& motion = cell.params.boundaries.bodies[body_of(link)];
  const double position[3] = {cell.x + 0.5 - d * c[0], cell.y + 0.5 - d * c[1],
                              cell.z + 0.5 - d * c[2]};
  double arm[3], u[3];
  for (int a = 0; a < 3; ++a) arm[a] = position[a] - motion.center[a];
  for (int a = 0; a < 3; ++a) {
    const int i = (a + 1) % 3, j = (a + 2) % 3;
    u[a] = motion.velocity[a] + motion.angular_velocity[i] * arm[j] -
           motion.angular_velocity[j] * arm[i];
  }
  const double term = 6 * w * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
  const Real out = cell.own[to_wall];
  Real back;
  if (d < 0.5) {
    const auto share = static_cast<Real>(2 * d);
    const Real more =
        drops == 0
            ? Real(0)
            : static_cast<Real>(w * density_drop_across(cell, to_wall, drops)) * Storage::scale;
    back = share * out +
           (Real(1) - share) * (cell.load(link_source(to_wall, crossed, crossed)) + more) +
           static_cast<Real>(term) * Storage::scale;
  } else {
    const auto share = static_cast<Real>(0.5 / d);
    back = share * out + (Real(1) - share) * cell.own[q] +
           static_cast<Real>(term * (0.5 / d)) * Storage::scale;
  }
  if (motion.conserves_mass) {
    const Real more = back - out - static_cast<Real>(term) * Storage::scale;
    surplus.mass += more;
    for (int a = 0; a < 3; ++a) surplus.momentum[a] += more * static_cast<Real>(u[a]);
  }
  if (load != nullptr) {
    const double both = (double{out} + double{back}) / double{Storage::scale};
    const double lost = (double{out} - double{back}) / double{Storage::scale};
    const double drop = drops == 0 ? 0 : w * density_drop_across(cell, q, drops);
    double force[3];
    for (int a = 0; a < 3; ++a) {
      force[a] = c[a] * (drop - both) - u[a] * lost;
      load->value[a] += fixed::from(force[a], fixed::force);
    }
    for (int a = 0; a < 3; ++a) {
      const int i = (a + 1) % 3, j = (a + 2) % 3;
      load->value[3 + a] += fixed::from(arm[i] * force[j] - arm[j] * force[i], fixed::torque);
    }
  }
  return back;
}

// What the links of a cell to bodies that conserve mass bring in beyond what they take out and what
// the motion of the wall moves along: interpolation makes or loses it. Taken back from the whole
// cell, as it moves with the wall: from fluid at rest there it would take momentum in any frame in
// which the wall moves.
template <class Real>
LBM_HD void remove_mass_surplus(const Surplus<Real>& surplus, Real (&g)[d3q19::directions]) {
  const Real(&j)[3] = surplus.momentum;
  g[0] -= d3q19::weight<Real>(0) * surplus.mass;
  LBM_UNROLL
  for (int q = 1; q < d3q19::directions; ++q) {
    g[q] -= d3q19::weight<Real>(q) * (surplus.mass + Real(3) * along(q, j[0], j[1], j[2]));
  }
}

// Gathers the incoming populations of a special cell. linked: its entry in the list of cells at
// bodies, or null; list: that list. bodies: where to add forces, or null where they do not count;
// what is left for the caller to add is in load.
template <class Storage, class Collision>
LBM_HD void gather_boundary_cell(BoundaryCell<Storage, Collision>& cell, const LinkedCell* linked,
                                 const CellList* list, std::int64_t* bodies, BodyLoad& load,
                                 typename Storage::Real (&g)[d3q19::directions]) {
  const unsigned at_body = linked == nullptr ? 0U : linked->blocked;
  unsigned blocked = at_body;
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) {
    cell.own[q] = cell.load(q, 0, 0, 0);
    if ((cell.touched & entered_faces(q)) != 0) blocked |= 1U << q;
    g[q] = (blocked >> q & 1U) != 0 ? cell.own[q] : cell.pull(q);
  }
  const BlockedLink* link =
      linked == nullptr ? nullptr : cell.params.boundaries.links + list->first_link + linked->first;
  Surplus<typename Storage::Real> surplus;
  for (unsigned left = blocked; left != 0; left &= left - 1) {
    const int q = face_of_bit(left);
    if ((at_body >> q & 1U) == 0) {
      g[q] = through_faces(cell, q, cell.touched & entered_faces(q));
      continue;
    }
    if (bodies != nullptr && body_of(*link) != load.body) {
      load.add_to(bodies);
      load.clear(body_of(*link));
    }
    g[q] = from_body(cell, q, *link, at_body, bodies == nullptr ? nullptr : &load, surplus);
    ++link;
  }
  remove_mass_surplus(surplus, g);
}

}  // namespace lbm
