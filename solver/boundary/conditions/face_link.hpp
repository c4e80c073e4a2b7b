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
  int q;             // direction into the box
  unsigned crossed;  // bits of the faces that the link crosses: one, or two at an edge
  int face;          // the one whose boundary condition decides
  int second_face;   // the other one, where it has the same boundary condition; else -1
  const BoundaryConditionView* condition;
};

// The boundary condition of a face at the cell that touches it there (index: of that cell).
LBM_HD int condition_at(const BoundaryView& view, int face, std::int64_t index) {
  const std::uint8_t* const patches = view.patch_of[face];
  return view.condition_of[face] + (patches == nullptr ? 0 : patches[index]);
}

// The place that the link comes from, moved along the normal of the face into the plane of the
// cell. Beyond another closed face it is replaced by its mirror image.
template <class Cell>
LBM_HD LinkSource tangential_source(const Cell& cell, int q, int face) {
  const unsigned both_faces = 3U << (face & ~1);
  const unsigned beyond = cell.touched & entered_faces(q) & ~both_faces;
  LinkSource source = link_source(q, beyond, beyond);
  source.d[face / 2] = 0;
  return source;
}

// c_q . v in double precision.
LBM_HD double dot_c(int q, const double (&v)[3]) {
  return d3q19::cx(q) * v[0] + d3q19::cy(q) * v[1] + d3q19::cz(q) * v[2];
}

}  // namespace lbm
