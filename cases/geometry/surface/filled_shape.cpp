// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/filled_shape.hpp"

#include <algorithm>
#include <utility>

#include "cases/geometry/surface/mesh_holes.hpp"

namespace lbm::geometry {
namespace {

constexpr int enough_votes = 4;  // of six

Vec turned(const Vec& p, int axis) { return {p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

// A cyclic change of axes keeps the orientation of the triangles.
MeshShape surface_along(Mesh mesh, int axis, const TimeLimit& limit) {
  limit.check();
  for (Vec& p : mesh.vertices) p = turned(p, axis);
  return MeshShape(std::move(mesh));
}

Mesh border_mesh(const Mesh& mesh) {
  Mesh border;
  for (const BorderEdge& e : border_of(mesh)) {
    const auto first = static_cast<std::int32_t>(border.vertices.size());
    border.vertices.push_back(mesh.vertices[e.from]);
    border.vertices.push_back(mesh.vertices[e.to]);
    border.triangles.push_back({first, first + 1, first + 1});
  }
  return border;
}

// Share of the segment at which it crosses the edge a b, both seen along an axis; with a margin at
// the ends of the edge.
std::optional<double> crossing(const Segment& s, const Vec& a, const Vec& b, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto across = [&](const Vec& p, const Vec& q) { return p[u] * q[v] - p[v] * q[u]; };
  constexpr double margin = 1e-9;
  const Vec along = s.direction(), edge = b - a, between = a - s.from;
  const double det = across(along, edge);
  if (det == 0) return std::nullopt;
  const double share = across(between, edge) / det, at = across(between, along) / det;
  if (!(share >= 0 && share <= 1 && at >= -margin && at <= 1 + margin)) return std::nullopt;
  return share;
}

}  // namespace

FilledShape::FilledShape(const Mesh& mesh, const TimeLimit& limit)
    : limit_(limit),
      surfaces_{surface_along(mesh, 0, limit), surface_along(mesh, 1, limit),
                surface_along(mesh, 2, limit)},
      border_(border_mesh(mesh)),
      border_bvh_(border_) {}

int FilledShape::votes(const Vec& p, int axis) const {
  const MeshShape::Winding winding = surfaces_[axis].winding(turned(p, axis));
  return (winding.from_below != 0 ? 1 : 0) + (winding.from_above != 0 ? 1 : 0);
}

int FilledShape::side(const Vec& p) const {
  limit_.check();
  const Box box = bounds();
  for (int a = 0; a < 3; ++a)
    if (p[a] < box.low[a] || p[a] > box.high[a]) return -1;
  int sum = votes(p, 0) + votes(p, 1);
  // The last axis only where it decides.
  if (sum < enough_votes && sum + 2 >= enough_votes) sum += votes(p, 2);
  return sum >= enough_votes ? 1 : -1;
}

void FilledShape::crossings(const Segment& s, std::vector<double>& shares) const {
  limit_.check();
  surfaces_[0].crossings(s, shares);
  const Box box = Box::of(s);
  for (int axis = 0; axis < 3; ++axis)
    border_bvh_.visit(
        [&](const Bvh::Node& n) {
          for (int a = 0; a < 3; ++a)
            if (a != axis && (n.low[a] > box.high[a] || n.high[a] < box.low[a])) return false;
          return true;
        },
        [&](std::int32_t t) {
          const auto& edge = border_.triangles[t];
          if (const auto share =
                  crossing(s, border_.vertices[edge[0]], border_.vertices[edge[1]], axis))
            shares.push_back(*share);
        });
}

double FilledShape::volume() const {
  constexpr int lines = 48;
  const Box box = bounds();
  const Vec size = box.high - box.low;
  std::vector<double> shares;
  double sum = 0;
  for (int j = 0; j < lines; ++j)
    for (int k = 0; k < lines; ++k) {
      const double y = box.low[1] + size[1] * (j + 0.5) / lines;
      const double z = box.low[2] + size[2] * (k + 0.5) / lines;
      const Segment line{{box.low[0], y, z}, {box.high[0], y, z}};
      shares = {0, 1};
      crossings(line, shares);
      std::sort(shares.begin(), shares.end());
      for (std::size_t n = 0; n + 1 < shares.size(); ++n)
        if (shares[n] < shares[n + 1] && inside(line.at(0.5 * (shares[n] + shares[n + 1]))))
          sum += shares[n + 1] - shares[n];
    }
  return sum / (lines * lines) * size[0] * size[1] * size[2];
}

}  // namespace lbm::geometry
