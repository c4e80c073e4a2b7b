// What comes in through the faces of the box that have rules of their own.
//
// A link of direction q crosses one face, or two at an edge of the box. Where it crosses two, the
// stricter rule decides: wall, velocity, pressure, outflow, slip, in that order. Two walls or
// velocity faces share what their velocities have in common: a free stream along a moving floor is
// undisturbed, and a lid drives nothing through the edge of a resting wall.
#pragma once

#include "solver/boundary/inlet_turbulence.hpp"
#include "solver/update/update_cell.hpp"

namespace lbm {

LBM_HD unsigned lowest_bit(unsigned bits) { return bits & (~bits + 1U); }

LBM_HD int face_of_bit(unsigned bit) {
  int face = 0;
  while ((bit >> face & 1U) == 0) ++face;
  return face;
}

// A cell at a face or a body: its own populations of the step before, and where its neighbours are.
template <class Storage, class Collision>
struct BoundaryCell {
  using Real = typename Storage::Real;
  using Params = UpdateParams<Storage, Collision>;
  const Params& params;
  const InputPlanes<Storage>& in;
  const CellOffsets& at;
  int x, y, z;
  unsigned touched;  // closed faces that the cell touches
  Real own[d3q19::directions] = {};
  // The last one that outgoing_wave() was asked for: links of a face share it.
  int wave_face = -1;
  Real wave = 0;

  LBM_HD Real load(int q, int dx, int dy, int dz) const {
    const int source = q * params.layout.pitch + at.row[1 + dy] + at.column[1 + dx];
    return Storage::load_scaled(in.plane[1 + dz][source]);
  }
  LBM_HD Real load(const LinkSource& from) const {
    return load(from.q, from.d[0], from.d[1], from.d[2]);
  }
  LBM_HD Real pull(int q) const { return load(q, -d3q19::cx(q), -d3q19::cy(q), -d3q19::cz(q)); }
  // The coordinate of a neighbour along an axis, wrapped as load() does.
  LBM_HD int inside(int axis, int d) const {
    const int n = axis == 0 ? params.layout.nx : (axis == 1 ? params.layout.ny : params.nz);
    const int i = (axis == 0 ? x : (axis == 1 ? y : z)) + d;
    return i < 0 ? n - 1 : (i >= n ? 0 : i);
  }
  LBM_HD bool is_solid(const int (&d)[3]) const {
    return params.boundaries.is_solid(inside(0, d[0]), inside(1, d[1]), inside(2, d[2]));
  }
  // Of the state that `own` is, after its collision: the force has been added in full.
  LBM_HD Moments<Real> moments() const {
    constexpr Real unit = 1 / Storage::scale;
    const Sums<Real> s = density_momentum(own);
    const Real rho = Real(1) + s.drho * unit, inverse = unit / rho;
    return {rho, (s.jx - params.half_force[0]) * inverse, (s.jy - params.half_force[1]) * inverse,
            (s.jz - params.half_force[2]) * inverse};
  }
};

// Where a link of direction q comes from, moved along the normal of the face onto the plane of the
// cell. Where that would lie beyond another closed face the cell stands for it, seen in a mirror.
template <class Storage, class Collision>
LBM_HD LinkSource tangential_source(const BoundaryCell<Storage, Collision>& cell, int q, int face) {
  const unsigned beyond =
      cell.touched & entered_faces(q) & ~(face < 2 ? 3U : (face < 4 ? 12U : 48U));
  LinkSource s = link_source(q, beyond, beyond);
  s.d[face / 2] = 0;
  return s;
}

// The cell of a face that touches x, y, z.
template <class Storage, class Collision>
LBM_HD std::int64_t face_index(const BoundaryCell<Storage, Collision>& cell, int face, int x, int y,
                               int z) {
  const int nx = cell.params.layout.nx, ny = cell.params.layout.ny;
  return face < 2   ? y + std::int64_t{z} * ny
         : face < 4 ? x + std::int64_t{z} * nx
                    : x + std::int64_t{y} * nx;
}

// The rule of a face at the cell.
template <class Storage, class Collision>
LBM_HD int condition_at(const BoundaryCell<Storage, Collision>& cell, int face,
                        std::int64_t* index) {
  const BoundaryView& b = cell.params.boundaries;
  *index = face_index(cell, face, cell.x, cell.y, cell.z);
  return b.condition_of[face] + (b.patch_of[face] == nullptr ? 0 : b.patch_of[face][*index]);
}

// Velocity of a wall or velocity rule in the middle of the step, cells per step, where the link of
// direction q crosses the face: for diagonals that is between two cells.
template <class Storage, class Collision>
LBM_HD void face_velocity(const BoundaryCell<Storage, Collision>& cell, int face, int q,
                          double (&u)[3]) {
  const BoundaryView& b = cell.params.boundaries;
  std::int64_t index = 0;
  const int number = condition_at(cell, face, &index);
  const BoundaryConditionView& rule = b.rules[number];
  const double factor = cell.params.factor[number];
  const LinkSource side = tangential_source(cell, q, face);
  const int(&d)[3] = side.d;
  for (int a = 0; a < 3; ++a) u[a] = factor * rule.velocity[a];
  if (rule.profile >= 0) {
    const std::int64_t next =
        face_index(cell, face, cell.inside(0, d[0]), cell.inside(1, d[1]), cell.inside(2, d[2]));
    const bool same =
        b.patch_of[face] == nullptr || b.patch_of[face][next] == b.patch_of[face][index];
    const float* const profile = b.profiles + rule.profile;
    for (int a = 0; a < 3; ++a) {
      const double here = double{profile[3 * index + a]};
      u[a] = factor * (same ? (here + double{profile[3 * next + a]}) / 2 : here);
    }
  }
  if (rule.modes == 0) return;
  float more[3] = {};
  add_turbulence(b.modes + rule.first_mode, rule.modes,
                 static_cast<float>(cell.x) + 0.5F * static_cast<float>(1 + d[0]),
                 static_cast<float>(cell.y) + 0.5F * static_cast<float>(1 + d[1]),
                 static_cast<float>(cell.z) + 0.5F * static_cast<float>(1 + d[2]), cell.params.step,
                 static_cast<float>(factor), more);
  for (int a = 0; a < 3; ++a) u[a] += double{more[a]};
}

// By how much the outgoing sound wave at a face, R = (rho + j_n / c_s) / 2 less that of density 1,
// has changed on its way from the cell before.
template <class Storage, class Collision>
LBM_HD typename Storage::Real outgoing_wave(BoundaryCell<Storage, Collision>& cell, int face) {
  using Real = typename Storage::Real;
  if (cell.wave_face == face) return cell.wave;
  const int axis = face / 2, inwards = (face & 1) != 0 ? -1 : 1;
  const int d[3] = {axis == 0 ? inwards : 0, axis == 1 ? inwards : 0, axis == 2 ? inwards : 0};
  cell.wave_face = face;
  cell.wave = 0;
  if (cell.is_solid(d)) return cell.wave;
  Real inner[d3q19::directions];
  LBM_UNROLL
  for (int q = 0; q < d3q19::directions; ++q) inner[q] = cell.load(q, d[0], d[1], d[2]);
  const Sums<Real> here = density_momentum(cell.own), before = density_momentum(inner);
  const Real fall = axis == 0   ? here.jx - before.jx
                    : axis == 1 ? here.jy - before.jy
                                : here.jz - before.jz;
  constexpr Real root = Real(1.7320508075688772);  // 1 / c_s
  cell.wave = Real(0.5) * (here.drho - before.drho - root * static_cast<Real>(inwards) * fall);
  return cell.wave;
}

// What comes in of direction q through a face that lets everything out: from a cell beyond it that
// is as the one at the place that q is pulled from, moved in along the normal, so that a flow that
// does not change along the normal goes out as it is. Of the sound in it the outgoing wave is taken
// one cell further by its slope; the incoming wave is not. (Were the slope of the population itself
// zero, 27 % of a sound wave would come back.)
template <class Storage, class Collision>
LBM_HD typename Storage::Real characteristic_outflow(BoundaryCell<Storage, Collision>& cell, int q,
                                                     int face) {
  using Real = typename Storage::Real;
  const LinkSource side = tangential_source(cell, q, face);
  if (cell.is_solid(side.d)) return cell.own[d3q19::opposite(q)];
  constexpr Real further = Real(1 - 1.7320508075688772);
  return cell.load(side) + d3q19::weight<Real>(q) * further * outgoing_wave(cell, face);
}

// The population that anti-bounce-back turns round: the cell's own outgoing one, and the even
// non-equilibrium part of the link in its middle, (2 - omega) f+ = (2 tau - 1) (e-(x - t) - e-(x))
// for its tangent t. Without that the face has no shear stress, and a parallel flow does not leave
// it as such. The odd equilibrium e- is taken from the odd part of the populations.
template <class Storage, class Collision>
LBM_HD typename Storage::Real anti_bounce_back(const BoundaryCell<Storage, Collision>& cell, int q,
                                               int face) {
  using Real = typename Storage::Real;
  const LinkSource side = tangential_source(cell, q, face);
  const Real own = cell.own[d3q19::opposite(q)];
  if (q <= 6 || cell.is_solid(side.d)) return own;
  // All of it up to tau = 0.85; from about 1 on more would be unstable.
  const Real excess = Real(1) / cell.params.collision.omega - Real(0.5);
  const Real half_share = excess < Real(0.35) ? excess : Real(0.35);
  LinkSource back = side;
  back.q = d3q19::opposite(side.q);
  const Real there = cell.load(back) - cell.load(side);
  return own + half_share * (there - (own - cell.own[q]));
}

// Bits of the periodic faces with a drop of density.
LBM_HD unsigned drop_faces(const BoundaryView& b) {
  return (b.density_drop[0] != 0 ? 3U : 0U) | (b.density_drop[1] != 0 ? 12U : 0U) |
         (b.density_drop[2] != 0 ? 48U : 0U);
}

// By how much the density beyond such faces, at the place that direction q comes from, is above
// that of the cell on the other side of the box.
template <class Storage, class Collision>
LBM_HD double density_drop_across(const BoundaryCell<Storage, Collision>& cell, int q,
                                  unsigned faces) {
  const unsigned crossed = cell.touched & entered_faces(q) & faces;
  double drop = 0;
  for (int a = 0; a < 3; ++a) {
    if ((crossed >> (2 * a) & 1U) != 0) drop += cell.params.boundaries.density_drop[a];
    if ((crossed >> (2 * a) & 2U) != 0) drop -= cell.params.boundaries.density_drop[a];
  }
  return drop;
}

// The incoming population of direction q, which crosses the closed faces in `crossed` (one or two).
template <class Storage, class Collision>
LBM_HD typename Storage::Real through_faces(BoundaryCell<Storage, Collision>& cell, int q,
                                            unsigned crossed) {
  using Real = typename Storage::Real;
  const BoundaryView& b = cell.params.boundaries;
  constexpr Real scale = Storage::scale;
  const int opposite = d3q19::opposite(q);
  const auto w = d3q19::weight<double>(q);
  const double c[3] = {double(d3q19::cx(q)), double(d3q19::cy(q)), double(d3q19::cz(q))};

  const int faces[2] = {face_of_bit(lowest_bit(crossed)),
                        face_of_bit(lowest_bit(crossed & ~lowest_bit(crossed)) | 64U) & 7};
  const bool edge = (crossed & ~lowest_bit(crossed)) != 0;
  BoundaryKind kind[2];
  std::int64_t index = 0;
  for (int i = 0; i < (edge ? 2 : 1); ++i) {
    kind[i] = b.rules[condition_at(cell, faces[i], &index)].kind;
  }
  // Periodic faces with a drop of density are the weakest: they are pulled through.
  const auto strength = [](BoundaryKind k) {
    return k == BoundaryKind::periodic ? 9 : static_cast<int>(k);
  };
  const int first = edge && strength(kind[1]) < strength(kind[0]) ? 1 : 0;
  const int face = faces[first];
  const BoundaryConditionView& rule = b.rules[condition_at(cell, face, &index)];

  if (rule.kind == BoundaryKind::wall || rule.kind == BoundaryKind::velocity) {
    double u[3];
    face_velocity(cell, face, q, u);
    if (edge &&
        (kind[1 - first] == BoundaryKind::wall || kind[1 - first] == BoundaryKind::velocity)) {
      double other[3];
      face_velocity(cell, faces[1 - first], q, other);
      for (int a = 0; a < 3; ++a) u[a] = common_component(u[a], other[a]);
    }
    const double term = 6 * w * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
    return cell.own[opposite] + static_cast<Real>(term) * scale;
  }
  if (rule.kind == BoundaryKind::outflow) {
    const double excess =
        double{density_momentum(cell.own).drho} / double{scale} - (rule.density - 1);
    return characteristic_outflow(cell, q, face) -
           static_cast<Real>(w * rule.relaxation * excess) * scale;
  }
  if (rule.kind == BoundaryKind::slip) {
    unsigned mirrors = 1U << face;
    if (edge && kind[1 - first] == BoundaryKind::slip) mirrors |= 1U << faces[1 - first];
    return cell.load(link_source(q, mirrors, mirrors));
  }
  if (rule.kind == BoundaryKind::pressure) {
    const Moments<Real> m = cell.moments();
    const double u[3] = {double{m.ux}, double{m.uy}, double{m.uz}};
    const double cu = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
    const double even = 4.5 * cu * cu - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const double both = 2 * w * (rule.density - 1 + rule.density * even);
    return static_cast<Real>(both) * scale - anti_bounce_back(cell, q, face);
  }
  // As much as leaves at the one side comes in at the other: no term with the velocity, which would
  // make mass.
  return cell.pull(q) + static_cast<Real>(w * density_drop_across(cell, q, crossed)) * scale;
}

}  // namespace lbm
