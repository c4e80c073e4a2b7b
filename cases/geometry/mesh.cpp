// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/mesh.hpp"

#include <algorithm>
#include <utility>

namespace lbm::geometry {

Mesh mesh_of_facets(std::span<const Facet> facets) {
  Mesh mesh;
  mesh.vertices.reserve(3 * facets.size());
  mesh.triangles.reserve(facets.size());
  for (const Facet& facet : facets) {
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (const auto& p : facet) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

Mesh weld(const Mesh& mesh) {
  constexpr std::int32_t unused = -1;
  std::vector<std::int32_t> place(mesh.vertices.size(), unused);
  for (const auto& t : mesh.triangles)
    for (const std::int32_t v : t) place[v] = 0;
  std::vector<std::int32_t> order;
  order.reserve(mesh.vertices.size());
  for (std::size_t v = 0; v < place.size(); ++v)
    if (place[v] != unused) order.push_back(static_cast<std::int32_t>(v));
  std::sort(order.begin(), order.end(),
            [&](std::int32_t a, std::int32_t b) { return mesh.vertices[a] < mesh.vertices[b]; });
  Mesh result;
  for (std::size_t n = 0; n < order.size(); ++n) {
    const Vec& p = mesh.vertices[order[n]];
    if (n == 0 || mesh.vertices[order[n - 1]] != p) result.vertices.push_back(p);
    place[order[n]] = static_cast<std::int32_t>(result.vertices.size()) - 1;
  }
  result.triangles.reserve(mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    result.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  return result;
}

Mesh moved(Mesh mesh, const Affine& a) {
  for (Vec& p : mesh.vertices) p = a(p);
  if (a.determinant() < 0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

}  // namespace lbm::geometry
