// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/mesh_cut.hpp"

#include <utility>

namespace lbm::geometry {
namespace {

// Intersection of an edge and the plane, computed from the vertex of lower index for either
// direction of the edge. Not inlined, so that all calls round alike.
[[gnu::noinline]] std::array<double, 2> edge_point(const Mesh& mesh, std::int32_t a, std::int32_t b,
                                                   double z) {
  if (a > b) std::swap(a, b);
  const Vec &p = mesh.vertices[a], &q = mesh.vertices[b];
  const double t = (z - p[2]) / (q[2] - p[2]);
  return {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])};
}

}  // namespace

std::optional<PlaneCut> cut_by_plane(const Mesh& mesh, std::int32_t triangle, double z) {
  const auto& t = mesh.triangles[triangle];
  std::array<bool, 3> above;
  for (int k = 0; k < 3; ++k) above[k] = mesh.vertices[t[k]][2] >= z;
  if (above[0] == above[1] && above[1] == above[2]) return std::nullopt;
  PlaneCut cut{};
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    if (above[k] != above[next])
      (above[next] ? cut.up : cut.down) = edge_point(mesh, t[k], t[next], z);
  }
  return cut;
}

std::optional<RowCut> cut_by_row(const PlaneCut& cut, double y) {
  const bool from = cut.down[1] >= y, to = cut.up[1] >= y;
  if (from == to) return std::nullopt;
  const double t = (y - cut.down[1]) / (cut.up[1] - cut.down[1]);
  return RowCut{cut.down[0] + t * (cut.up[0] - cut.down[0]), from ? 1 : -1};
}

}  // namespace lbm::geometry
