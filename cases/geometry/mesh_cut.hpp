// SPDX-License-Identifier: Apache-2.0

// Cuts a triangle by a plane of constant z, and that cut by a row of constant y. Neighbouring
// triangles compute the same bits for their common edge, and a vertex on the plane counts as above
// it: every row enters a closed surface as often as it leaves it, however values are rounded. Both
// functions are compiled in one file of their own, so that every caller gets the same bits.
#pragma once

#include <optional>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

struct PlaneCut {
  // x, y where the triangle's border crosses the plane downwards, upwards
  std::array<double, 2> down, up;
};

std::optional<PlaneCut> cut_by_plane(const Mesh& mesh, std::int32_t triangle, double z);

struct RowCut {
  double x;
  int turn;  // towards larger x, +1: enters the surface, -1: leaves it
};

std::optional<RowCut> cut_by_row(const PlaneCut& cut, double y);

}  // namespace lbm::geometry
