// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace lbm::geometry {

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

std::vector<EdgeUse> edge_uses(const Mesh& mesh) {
  const auto each_use = [&](const auto& act) {
    for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
      const auto& t = mesh.triangles[n];
      if (has_equal_corners(t)) continue;
      for (int k = 0; k < 3; ++k) {
        const std::int32_t a = t[k], b = t[(k + 1) % 3];
        act(EdgeUse{std::min(a, b), std::max(a, b), static_cast<std::int32_t>(n), a < b});
      }
    }
  };
  // By the lower vertex first: few edges have the same.
  std::vector<std::size_t> begin(mesh.vertices.size() + 1);
  each_use([&](const EdgeUse& use) { ++begin[static_cast<std::size_t>(use.low) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<EdgeUse> uses(begin.back());
  std::vector<std::size_t> next = begin;
  each_use([&](const EdgeUse& use) { uses[next[static_cast<std::size_t>(use.low)]++] = use; });
  const auto at = [&](std::size_t i) { return uses.begin() + static_cast<std::ptrdiff_t>(i); };
  for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
    std::sort(at(begin[v]), at(begin[v + 1]), [](const EdgeUse& a, const EdgeUse& b) {
      return std::tie(a.high, a.triangle) < std::tie(b.high, b.triangle);
    });
  }
  return uses;
}

namespace {

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
  for_each_edge(edge_uses(mesh), [&](const EdgeUse* first, const EdgeUse* last) {
    if (last - first == 1) ++report.open_edges;
    if (last - first > 2 && (last - first) % 2 != 0) ++report.odd_edges;
  });
  return report;
}

}  // namespace lbm::geometry
