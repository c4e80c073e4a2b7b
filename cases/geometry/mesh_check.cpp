// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

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

// Angles of the triangles at an edge, from the first triangle, in radians: right-handed about the
// direction from `low` to `high`.
std::vector<double> angles_around(const Mesh& mesh, const EdgeUse* first, const EdgeUse* last) {
  const Vec low = mesh.vertices[first->low], along = unit(mesh.vertices[first->high] - low);
  std::vector<double> angles;
  Vec right{};
  for (const EdgeUse* use = first; use != last; ++use) {
    Vec p{};
    for (const std::int32_t corner : mesh.triangles[use->triangle]) {
      if (corner != use->low && corner != use->high) p = mesh.vertices[corner] - low;
    }
    p = p - dot(p, along) * along;
    if (use == first) right = p;
    angles.push_back(std::atan2(dot(p, cross(along, right)), dot(p, right)));
  }
  return angles;
}

// Pairs at an edge of four or more triangles, as many of them forward as not: those between which
// the least solid lies, as between the walls of each of two boxes that share a face. So each box
// is a shell. Triangles in the same place pair in their order in the mesh, at all their edges.
void add_crowded_pairs(const Mesh& mesh, const EdgeUse* first, const EdgeUse* last,
                       std::vector<std::pair<EdgeUse, EdgeUse>>& pairs) {
  constexpr std::ptrdiff_t most = 32;  // the square of it are compared
  const auto forward = std::count_if(first, last, [](const EdgeUse& u) { return u.forward; });
  if (last - first > most || 2 * forward != last - first) return;
  const std::vector<double> angles = angles_around(mesh, first, last);
  // The solid lies clockwise of a forward triangle. In millionths: nearly equal ones are equal.
  std::vector<std::tuple<std::int64_t, const EdgeUse*, const EdgeUse*>> all;
  for (const EdgeUse* a = first; a != last; ++a) {
    for (const EdgeUse* b = first; b != last; ++b) {
      if (!a->forward || b->forward) continue;
      constexpr double turn = 6.283185307179586;
      const double between = std::fmod(angles[a - first] - angles[b - first] + turn, turn);
      const std::int64_t share = std::llround(1e6 * between / turn);
      all.emplace_back(share == 0 ? 1'000'000 : share, a, b);
    }
  }
  std::sort(all.begin(), all.end());
  std::vector<char> taken(angles.size(), 0);
  for (const auto& [between, a, b] : all) {
    if (taken[a - first] != 0 || taken[b - first] != 0) continue;
    taken[a - first] = taken[b - first] = 1;
    pairs.emplace_back(*a, *b);
  }
}

// Neighbours over edges of exactly two triangles, and over pairs at crowded edges: list[first[n]]
// .. list[first[n + 1] - 1] for triangle n.
struct Neighbours {
  std::vector<std::int32_t> first;
  std::vector<Neighbour> list;
};

using Pairs = std::vector<std::pair<EdgeUse, EdgeUse>>;

Neighbours neighbours_of(const Mesh& mesh, const std::vector<EdgeUse>& uses, const Pairs& crowded) {
  Neighbours result;
  result.first.assign(mesh.triangles.size() + 1, 0);
  const auto each_pair = [&](auto act) {
    for_each_edge(uses, [&](const EdgeUse* a, const EdgeUse* end) {
      if (end - a == 2) act(a[0], a[1]);
    });
    for (const auto& [a, b] : crowded) act(a, b);
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

Shells shells_of(const Mesh& mesh, const Neighbours& neighbours) {
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

}  // namespace

Shells find_shells(const Mesh& mesh, const std::vector<EdgeUse>& uses) {
  Pairs crowded;
  for_each_edge(uses, [&](const EdgeUse* first, const EdgeUse* last) {
    if (last - first > 2) add_crowded_pairs(mesh, first, last, crowded);
  });
  Shells shells = shells_of(mesh, neighbours_of(mesh, uses, crowded));
  if (shells.orientable || crowded.empty()) return shells;
  // A triangle that is turned by mistake may have led to wrong pairs.
  return shells_of(mesh, neighbours_of(mesh, uses, {}));
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
