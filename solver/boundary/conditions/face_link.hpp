// SPDX-License-Identifier: Apache-2.0

// A link that enters the box through a face. Shared by all boundary conditions of faces.
//
// Cell, everywhere in this room, is BoundaryCell (solver/update/boundary_cell.hpp): the
// populations of a fluid cell after the step before, and access to its 26 neighbours.
#pragma once

#include "solver/boundary/boundary_view.hpp"
#include "solver/lattice/boundary_condition.hpp"
#include "solver/lattice/moments.hpp"

namespace lbm {

struct FaceLink {
  Direction e;       // into the box
  unsigned crossed;  // bits of the faces that the link crosses: one, at edges two, at corners three
  int face;          // the one whose boundary condition decides
  unsigned same;     // bits of the others with the same boundary condition
  const BoundaryConditionView* condition;
};

// The boundary condition of a face at the cell that touches it there (index: of that cell).
LBM_HD int condition_at(const BoundaryView& view, int face, std::int64_t index) {
  const std::uint8_t* const patches = view.patch_of[face];
  return view.condition_of[face] + (patches == nullptr ? 0 : patches[index]);
}

// That of a face at a cell.
template <class Cell>
LBM_HD int condition_of(const Cell& cell, int face) {
  return condition_at(cell.params.boundaries, face, cell.face_index(face));
}
template <class Cell>
LBM_HD BoundaryKind kind_of(const Cell& cell, int face) {
  return cell.params.boundaries.conditions[condition_of(cell, face)].kind;
}

// Density less 1 that a pressure or outflow face gives at a cell.
template <class Cell>
LBM_HD double prescribed_drho(const Cell& cell, const FaceLink& link) {
  const std::int64_t profile = link.condition->profile;
  if (profile < 0) return link.condition->drho;
  return double{cell.params.boundaries.profiles[profile + cell.face_index(link.face)]};
}

// The place that the link comes from, moved along the normal of the face into the plane of the
// cell. Beyond another closed face it is replaced by its mirror image.
template <class Cell>
LBM_HD LinkSource tangential_source(const Cell& cell, const Direction& e, int face) {
  const unsigned both_faces = 3U << (face & ~1);
  LinkSource source = mirrored_source(e, cell.touched & entered_faces(e) & ~both_faces);
  source.d[face / 2] = 0;
  return source;
}

// c . v in double precision.
LBM_HD double dot_c(const Direction& e, const double (&v)[3]) {
  return e.c[0] * v[0] + e.c[1] * v[1] + e.c[2] * v[2];
}

// Even and odd part of the equilibrium of the collision model at a velocity.
template <class Cell>
LBM_HD EquilibriumParts<double> equilibrium_parts(const Cell& cell, const Direction& e,
                                                  const double (&u)[3]) {
  if (cell.maxwellian()) return maxwell<typename Cell::Set>(e.c, u);
  const double cu = dot_c(e, u);
  return {4.5 * cu * cu - 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), cu};
}

// Which boundary condition decides where a link crosses several faces, at an edge or a corner of
// the box: the one that comes first in BoundaryKind. Free slip yields to all others but periodic
// faces, which yield to all: the others mirror at a face with free slip, while free slip alone
// would take a population from beyond the other face.
LBM_HD bool precedes(BoundaryKind a, BoundaryKind b) {
  const auto rank = [](BoundaryKind kind) {
    if (kind == BoundaryKind::periodic) return 201;
    return kind == BoundaryKind::slip ? 200 : static_cast<int>(kind);
  };
  return rank(a) < rank(b);
}

// Walls and velocity faces are the same boundary condition.
LBM_HD bool is_velocity_wall(BoundaryKind kind) {
  return kind == BoundaryKind::wall || kind == BoundaryKind::velocity;
}

// crossed: the closed faces that the link of direction e crosses.
template <class Cell>
LBM_HD FaceLink make_face_link(const Cell& cell, const Direction& e, unsigned crossed) {
  const auto condition = [&](int face) {
    return cell.params.boundaries.conditions + condition_of(cell, face);
  };
  FaceLink link{e, crossed, lowest_bit(crossed), 0, nullptr};
  link.condition = condition(link.face);
  for (unsigned left = crossed & (crossed - 1); left != 0; left &= left - 1) {
    const int other_face = lowest_bit(left);
    const BoundaryConditionView* const other = condition(other_face);
    const BoundaryKind kind = link.condition->kind, other_kind = other->kind;
    const bool same =
        kind == other_kind || (is_velocity_wall(kind) && is_velocity_wall(other_kind));
    if (precedes(other_kind, kind)) {
      link.same = same ? link.same | 1U << link.face : 0U;
      link.face = other_face;
      link.condition = other;
    } else if (same) {
      link.same |= 1U << other_face;
    }
  }
  return link;
}

}  // namespace lbm
