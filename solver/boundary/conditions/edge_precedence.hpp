// SPDX-License-Identifier: Apache-2.0

// Which boundary condition decides where a link crosses two faces, at an edge of the box: the one
// that comes first in BoundaryKind. Free slip yields to all others but periodic faces, which yield
// to all: the others mirror at a face with free slip, while free slip alone would take a population
// from beyond the other face.
#pragma once

#include "solver/boundary/conditions/face_link.hpp"

namespace lbm {

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

// crossed: the one or two closed faces that the link of direction e crosses.
template <class Cell>
LBM_HD FaceLink make_face_link(const Cell& cell, const d3q19::Direction& e, unsigned crossed) {
  const BoundaryView& view = cell.params.boundaries;
  const auto condition = [&](int face) {
    return view.conditions + condition_at(view, face, cell.face_index(face));
  };
  const int low = lowest_bit(crossed), high = highest_bit(crossed);
  const FaceLink link{e, crossed, low, -1, condition(low)};
  if (high == low) return link;
  const BoundaryConditionView* const other = condition(high);
  const BoundaryKind kind = link.condition->kind, other_kind = other->kind;
  const bool same = kind == other_kind || (is_velocity_wall(kind) && is_velocity_wall(other_kind));
  if (precedes(other_kind, kind)) return {e, crossed, high, same ? low : -1, other};
  return {e, crossed, low, same ? high : -1, link.condition};
}

}  // namespace lbm
