// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "cases/geometry/mesh_edges.hpp"

namespace lbm::geometry {
namespace {

bool finite(const Vec& p) {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

struct Neighbour {
  std::int32_t triangle;
  bool same_turn;  // both have the same orientation now
};

// Neighbours over edges of exactly two triangles: list[first[n]] .. list[first[n + 1] - 1] for
// triangle n.
struct Neighbours {
  std::vector<std::int32_t> first;
  std::vector<Neighbour> list;
};

Neighbours neighbours_of(const Mesh& mesh, const std::vector<EdgeUse>& uses) {
  Neighbours result;
  result.first.assign(mesh.triangles.size() + 1, 0);
  const auto each_pair = [&](auto act) {
    for_each_edge(uses, [&](const EdgeUse* a, const EdgeUse* end) {
      if (end - a == 2) act(a[0], a[1]);
    });
  };
  each_pair([&](const EdgeUse& a, const EdgeUse& b) {
    ++result.first[a.triangle + 1];
    ++result.first[b.triangle + 1];
  });
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  result.list.resize(result.first.back());
  std::vector<std::int32_t> next(result.first.begin(), result.first.end() - 1);
  each_pair([&](const EdgeUse& a, const EdgeUse& b) {
    const bool same = a.forward != b.forward;
    result.list[next[a.triangle]++] = {b.triangle, same};
    result.list[next[b.triangle]++] = {a.triangle, same};
  });
  return result;
}

}  // namespace

Shells find_shells(const Mesh& mesh, const std::vector<EdgeUse>& uses) {
  const Neighbours neighbours = neighbours_of(mesh, uses);
  Shells result;
  result.shell.assign(mesh.triangles.size(), -1);
  result.turned.assign(mesh.triangles.size(), 0);
  std::vector<std::int32_t> open;
  for (std::size_t start = 0; start < mesh.triangles.size(); ++start) {
    if (result.shell[start] >= 0 || has_equal_corners(mesh.triangles[start])) continue;
    result.shell[start] = result.count;
    open.push_back(static_cast<std::int32_t>(start));
    while (!open.empty()) {
      const std::int32_t n = open.back();
      open.pop_back();
      for (std::int32_t k = neighbours.first[n]; k < neighbours.first[n + 1]; ++k) {
        const auto [other, same] = neighbours.list[k];
        const char turned = static_cast<char>(same ? result.turned[n] : 1 - result.turned[n]);
        if (result.shell[other] < 0) {
          result.shell[other] = result.count;
          result.turned[other] = turned;
          open.push_back(other);
        } else if (result.turned[other] != turned) {
          result.orientable = false;
        }
      }
    }
    ++result.count;
  }
  return result;
}

MeshReport check_mesh(const Mesh& mesh) {
  MeshReport report;
  report.triangles = static_cast<std::int64_t>(mesh.triangles.size());
  for (const Vec& p : mesh.vertices) report.non_finite += finite(p) ? 0 : 1;
  const Vec origin = mesh.vertices.empty() ? Vec{} : mesh.vertices[0];
  for (const auto& t : mesh.triangles) {
    const Vec a = mesh.vertices[t[0]], ab = mesh.vertices[t[1]] - a, ac = mesh.vertices[t[2]] - a;
    if (has_equal_corners(t) || cross(ab, ac) == Vec{0, 0, 0}) ++report.degenerate;
    report.volume += dot(a - origin, cross(ab, ac)) / 6;
  }
  const std::vector<EdgeUse> uses = edge_uses(mesh);
  for_each_edge(uses, [&](const EdgeUse* first, const EdgeUse* last) {
    const auto count = last - first;
    if (count == 1) ++report.open_edges;
    if (count == 2 && first[0].forward == first[1].forward) ++report.flipped_edges;
    if (count > 2) ++report.crowded_edges;
    if (count > 2 && count % 2 != 0) ++report.odd_edges;
  });
  report.shells = find_shells(mesh, uses).count;
  return report;
}

}  // namespace lbm::geometry
