// How a triangle of a mesh is cut by a plane of constant z, and that cut by a row of constant y.
// Neighbouring triangles give the same bits for the edge they share, and a vertex belongs to what
// lies above it: so every row gets into a closed surface as often as out of it, however it is
// rounded. Both are functions of their own file, so that every caller gets the same bits.
#pragma once

#include <optional>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

struct PlaneCut {
  std::array<double, 2> down, up;  // x, y: where the triangle's border passes down, and up
};

std::optional<PlaneCut> cut_by_plane(const Mesh& mesh, std::int32_t triangle, double z);

struct RowCut {
  double x;
  int turn;  // +1: walking up x gets into the surface here, -1: out of it
};

std::optional<RowCut> cut_by_row(const PlaneCut& cut, double y);

}  // namespace lbm::geometry
