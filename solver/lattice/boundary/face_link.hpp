// What comes in through the faces of the box that have rules of their own.
//
// A link of direction q crosses one face, or two at an edge of the box. Where it crosses two, the
// stricter rule decides: wall, velocity, pressure, outflow, slip, in that order. Two walls or
// velocity faces share what their velocities have in common: a free stream along a moving floor is
// undisturbed, and a lid drives nothing through the edge of a resting wall.
#pragma once

#include "solver/lattice/boundary/inlet_turbulence.hpp"
#include "solver/lattice/update.hpp"

namespace lbm {

LBM_HD unsigned lowest_bit(unsigned bits) { return bits & (~bits + 1U); }

LBM_HD int face_of_bit(unsigned bit) {
  int face = 0;
  while ((bit >> face & 1U) == 0) ++face;
  return face;
}

// A cell at a face or a body: its own populations of the step before, and where its neighbours are.
template <class Storage, class Collision>
struct SpecialCell {
  using Real = typename Storage::Real;
  using Params = UpdateParams<Storage, Collision>;
  const Params& params;
  const InputPlanes<Storage>& in;
  const CellOffsets& at;
  int x, y, z;
  unsigned touched;  // closed faces that the cell touches
  Real own[d3q19::directions];

  LBM_HD Real load(int q, int dx, int dy, int dz) const {
    const int source = q * params.layout.pitch + at.row[1 + dy] + at.column[1 + dx];
    return Storage::load_scaled(in.plane[1 + dz][source]);
  }
  LBM_HD Real pull(int q) const { return load(q, -d3q19::cx(q), -d3q19::cy(q), -d3q19::cz(q)); }
  // Of the state that `own` is, after its collision: the force has been added in full.
  LBM_HD Moments<Real> moments() const {
    constexpr Real unit = 1 / Storage::scale;
    const Sums<Real> s = sums_of(own);
    const Real rho = Real(1) + s.drho * unit, inverse = unit / rho;
    return {rho, (s.jx - params.half_force[0]) * inverse, (s.jy - params.half_force[1]) * inverse,
            (s.jz - params.half_force[2]) * inverse};
  }
};

// The rule of a face at the cell.
template <class Storage, class Collision>
LBM_HD int rule_at(const SpecialCell<Storage, Collision>& cell, int face, std::int64_t* index) {
  const BoundaryView& b = cell.params.boundaries;
  const int nx = cell.params.layout.nx, ny = cell.params.layout.ny;
  *index = face < 2   ? cell.y + std::int64_t{cell.z} * ny
           : face < 4 ? cell.x + std::int64_t{cell.z} * nx
                      : cell.x + std::int64_t{cell.y} * nx;
  return b.rule_of[face] + (b.patch_of[face] == nullptr ? 0 : b.patch_of[face][*index]);
}

// Velocity of a wall or velocity rule in the middle of the step, cells per step.
template <class Storage, class Collision>
LBM_HD void face_velocity(const SpecialCell<Storage, Collision>& cell, int face, double (&u)[3]) {
  const BoundaryView& b = cell.params.boundaries;
  std::int64_t index = 0;
  const int number = rule_at(cell, face, &index);
  const RuleView& rule = b.rules[number];
  const double factor = cell.params.factor[number];
  for (int a = 0; a < 3; ++a) {
    const double mean =
        rule.profile < 0 ? rule.velocity[a] : double{b.profiles[rule.profile + 3 * index + a]};
    u[a] = factor * mean;
  }
  if (rule.modes == 0) return;
  float more[3] = {};
  add_turbulence(b.modes + rule.first_mode, rule.modes, static_cast<float>(cell.x) + 0.5F,
                 static_cast<float>(cell.y) + 0.5F, static_cast<float>(cell.z) + 0.5F,
                 cell.params.step, static_cast<float>(factor), more);
  for (int a = 0; a < 3; ++a) u[a] += double{more[a]};
}

// The incoming population of direction q, which crosses the closed faces in `crossed` (one or two).
template <class Storage, class Collision>
LBM_HD typename Storage::Real through_faces(const SpecialCell<Storage, Collision>& cell, int q,
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
  FaceKind kind[2];
  std::int64_t index = 0;
  for (int i = 0; i < (edge ? 2 : 1); ++i) {
    kind[i] = b.rules[rule_at(cell, faces[i], &index)].kind;
  }
  // Periodic faces with a drop of density are the weakest: they are pulled through.
  const auto strength = [](FaceKind k) {
    return k == FaceKind::periodic ? 9 : static_cast<int>(k);
  };
  const int first = edge && strength(kind[1]) < strength(kind[0]) ? 1 : 0;
  const int face = faces[first];
  const RuleView& rule = b.rules[rule_at(cell, face, &index)];

  if (rule.kind == FaceKind::wall || rule.kind == FaceKind::velocity) {
    double u[3];
    face_velocity(cell, face, u);
    if (edge && (kind[1 - first] == FaceKind::wall || kind[1 - first] == FaceKind::velocity)) {
      double other[3];
      face_velocity(cell, faces[1 - first], other);
      for (int a = 0; a < 3; ++a) u[a] = in_common(u[a], other[a]);
    }
    const double term = 6 * w * (c[0] * u[0] + c[1] * u[1] + c[2] * u[2]);
    return cell.own[opposite] + static_cast<Real>(term) * scale;
  }
  if (rule.kind == FaceKind::outflow) {
    const int sign = (face & 1) != 0 ? -1 : 1, axis = face / 2;
    const Real inner =
        cell.load(q, axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
    constexpr Real speed = Real(0.57735026918962576);
    const Real convected = cell.own[q] + speed * (inner - cell.own[q]);
    const double excess = double{sums_of(cell.own).drho} / double{scale} - (rule.density - 1);
    return convected - static_cast<Real>(w * rule.relaxation * excess) * scale;
  }
  if (rule.kind == FaceKind::slip) {
    unsigned axes = 1U << (face / 2);
    if (edge && kind[1 - first] == FaceKind::slip) axes |= 1U << (faces[1 - first] / 2);
    return cell.load(mirrored(q, axes), (axes & 1U) != 0 ? 0 : -d3q19::cx(q),
                     (axes & 2U) != 0 ? 0 : -d3q19::cy(q), (axes & 4U) != 0 ? 0 : -d3q19::cz(q));
  }
  // Both need the flow at the cell.
  const Moments<Real> m = cell.moments();
  const double u[3] = {double{m.ux}, double{m.uy}, double{m.uz}};
  const double cu = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
  const double even = 4.5 * cu * cu - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  if (rule.kind == FaceKind::pressure) {
    const double both = 2 * w * (rule.density - 1 + rule.density * even);
    return static_cast<Real>(both) * scale - cell.own[opposite];
  }
  double drop = 0;
  for (int i = 0; i < (edge ? 2 : 1); ++i) {
    drop += (faces[i] & 1) != 0 ? -b.density_drop[faces[i] / 2] : b.density_drop[faces[i] / 2];
  }
  return cell.pull(q) + static_cast<Real>(w * drop * (1 + 3 * cu + even)) * scale;
}

}  // namespace lbm
