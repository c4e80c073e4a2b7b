// SPDX-License-Identifier: Apache-2.0

// The boundary conditions of faces: the one place where they are registered.
#pragma once

#include "solver/boundary/conditions/characteristic_outflow.hpp"
#include "solver/boundary/conditions/face_link.hpp"
#include "solver/boundary/conditions/far_field.hpp"
#include "solver/boundary/conditions/free_slip.hpp"
#include "solver/boundary/conditions/periodic_density_drop.hpp"
#include "solver/boundary/conditions/pressure.hpp"
#include "solver/boundary/conditions/velocity_wall.hpp"

namespace lbm {

// Calls visitor(C{}) with the boundary condition C, a function of (cell, link) that gives the
// incoming population.
template <class Visitor>
LBM_HD decltype(auto) visit_boundary_condition(BoundaryKind kind, const Visitor& visitor) {
  switch (kind) {
    case BoundaryKind::wall:
    case BoundaryKind::velocity:
      return visitor(VelocityWall{});
    case BoundaryKind::outflow:
      return visitor(CharacteristicOutflow{});
    case BoundaryKind::slip:
      return visitor(FreeSlip{});
    case BoundaryKind::pressure:
      return visitor(Pressure{});
    case BoundaryKind::far_field:
      return visitor(FarField{});
    case BoundaryKind::periodic:
      break;
  }
  return visitor(PeriodicDensityDrop{});
}

// The incoming population of direction e, which crosses the closed faces in `crossed`.
template <class Cell>
LBM_HD typename Cell::Real incoming_through_faces(Cell& cell, const Direction& e,
                                                  unsigned crossed) {
  const FaceLink link = make_face_link(cell, e, crossed);
  return visit_boundary_condition(link.condition->kind,
                                  [&](auto condition) { return condition(cell, link); });
}

}  // namespace lbm
