// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_holes.hpp"

#include <cstdlib>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {
namespace {

struct Hole {
  double length = 0;
  Vec moment{};  // of its edges: length times middle
  Vec area{};    // twice the vector area of the cap
  Vec apex{};
};

}  // namespace

std::vector<BorderEdge> border_of(const Mesh& mesh) {
  std::vector<BorderEdge> border;
  for_each_edge(edge_uses(mesh), [&](const EdgeUse* first, const EdgeUse* last) {
    std::int32_t excess = 0;
    for (const EdgeUse* use = first; use != last; ++use) excess += use->forward ? 1 : -1;
    if (excess > 0) border.push_back({first->low, first->high, excess});
    if (excess < 0) border.push_back({first->high, first->low, -excess});
  });
  return border;
}

ClosedHoles close_holes(const Mesh& mesh) {
  const std::vector<BorderEdge> border = border_of(mesh);
  ClosedHoles result;
  result.holes.edges = static_cast<std::int64_t>(border.size());
  VertexSets parts(mesh.vertices.size());
  for (const BorderEdge& e : border) parts.join(e.from, e.to);
  std::vector<Hole> holes(mesh.vertices.size());
  for (const BorderEdge& e : border) {
    const Vec &a = mesh.vertices[e.from], &b = mesh.vertices[e.to];
    Hole& hole = holes[parts.find(e.from)];
    const double size = e.times * length(b - a);
    hole.length += size;
    hole.moment = hole.moment + 0.5 * size * (a + b);
  }
  for (Hole& hole : holes)
    if (hole.length > 0) hole.apex = (1 / hole.length) * hole.moment;
  const Vec origin = mesh.vertices.empty() ? Vec{} : mesh.vertices[0];
  const auto six_volumes = [&](const Vec& a, const Vec& b, const Vec& c) {
    return dot(a - origin, cross(b - origin, c - origin));
  };
  double sum = 0;
  for (const auto& t : mesh.triangles)
    sum += six_volumes(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  for (const BorderEdge& e : border) {
    const Vec &a = mesh.vertices[e.from], &b = mesh.vertices[e.to];
    Hole& hole = holes[parts.find(e.from)];
    hole.area = hole.area + double(e.times) * cross(a - hole.apex, b - hole.apex);
    sum += e.times * six_volumes(b, a, hole.apex);
  }
  for (const Hole& hole : holes) {
    if (hole.length == 0) continue;
    ++result.holes.count;
    result.holes.length += hole.length;
    result.holes.area += length(hole.area) / 2;
  }
  result.volume = std::fabs(sum) / 6;
  return result;
}

}  // namespace lbm::geometry
