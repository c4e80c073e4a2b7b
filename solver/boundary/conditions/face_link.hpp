// SPDX-License-Identifier: Apache-2.0

// A link that enters the box through a face. Shared by all boundary conditions of faces.
//
// Cell, everywhere in this room, is BoundaryCell (solver/update/boundary_cell.hpp): the
// populations of a fluid cell after the step before, and access to its 26 neighbours.
#pragma once

#include "solver/boundary/boundary_view.hpp"
#include "solver/lattice/moments.hpp"
#include "solver/lattice/walls.hpp"

namespace lbm {

struct FaceLink {
  d3q19::Direction e;  // into the box
  unsigned crossed;    // bits of the faces that the link crosses: one, or two at an edge
  int face;            // the one whose boundary condition decides
  int second_face;     // the other one, where it has the same boundary condition; else -1
  const BoundaryConditionView* condition;
};

// The boundary condition of a face at the cell that touches it there (index: of that cell).
LBM_HD int condition_at(const BoundaryView& view, int face, std::int64_t index) {
  const std::uint8_t* const patches = view.patch_of[face];
  return view.condition_of[face] + (patches == nullptr ? 0 : patches[index]);
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
LBM_HD LinkSource tangential_source(const Cell& cell, const d3q19::Direction& e, int face) {
  const unsigned both_faces = 3U << (face & ~1);
  LinkSource source = mirrored_source(e, cell.touched & entered_faces(e) & ~both_faces);
  source.d[face / 2] = 0;
  return source;
}

// c . v in double precision.
LBM_HD double dot_c(const d3q19::Direction& e, const double (&v)[3]) {
  return e.c[0] * v[0] + e.c[1] * v[1] + e.c[2] * v[2];
}

}  // namespace lbm
