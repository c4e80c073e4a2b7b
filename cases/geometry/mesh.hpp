// SPDX-License-Identifier: Apache-2.0

// Triangle surfaces: meshes, the triangles at each edge, and shells.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "cases/geometry/shape.hpp"

namespace lbm::geometry {

// Triangles as triples of vertex indices, counterclockwise seen from outside.
struct Mesh {
  std::vector<Vec> vertices;
  std::vector<std::array<std::int32_t, 3>> triangles;
};

// The surface is closed where there are no open and no odd edges.
struct MeshReport {
  std::int64_t triangles = 0;
  std::int64_t open_edges = 0;  // edges of one triangle only
  std::int64_t odd_edges = 0;   // edges of three, five, ... triangles
};

MeshReport check_mesh(const Mesh& mesh);

// Merges vertices with equal coordinates, and drops those without a triangle.
Mesh weld(const Mesh& mesh);

// Moves every vertex; a mirroring transform also flips the triangles, so that outside stays
// outside.
Mesh moved(Mesh mesh, const Affine& a);

// Sets of vertices, each of them alone at first.
class VertexSets {
 public:
  explicit VertexSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  // The vertex that stands for its set.
  std::int32_t find(std::int32_t v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  void join(std::int32_t a, std::int32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::int32_t> parent_;
};

// One side of a triangle. `forward`: the triangle runs from `low` to `high`.
struct EdgeUse {
  std::int32_t low, high, triangle;
  bool forward;
  bool same_edge(const EdgeUse& other) const { return low == other.low && high == other.high; }
};

inline bool has_equal_corners(const std::array<std::int32_t, 3>& t) {
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

// Sorted by edge. Triangles with equal corners are left out.
std::vector<EdgeUse> edge_uses(const Mesh& mesh);

// Calls act(first, last) with the range of uses of each edge.
template <class Act>
void for_each_edge(const std::vector<EdgeUse>& uses, Act act) {
  for (std::size_t first = 0, last = 0; first < uses.size(); first = last) {
    while (last < uses.size() && uses[last].same_edge(uses[first])) ++last;
    act(&uses[first], &uses[first] + (last - first));
  }
}

// Parts connected by edges of two triangles, and the triangles to turn so that each part is
// consistently oriented. Where more triangles share an edge, those that bound the same piece of the
// solid are connected.
struct Shells {
  std::vector<std::int32_t> shell;  // index for each triangle; -1 with equal corners
  std::vector<char> turned;         // opposite to the first triangle of the shell
  std::int32_t count = 0;
  bool orientable = true;
};

Shells find_shells(const Mesh& mesh, const std::vector<EdgeUse>& uses);

}  // namespace lbm::geometry
