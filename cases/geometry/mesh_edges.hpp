// SPDX-License-Identifier: Apache-2.0

// The edges of a mesh and the triangles at each edge.
#pragma once

#include <algorithm>
#include <tuple>

#include "cases/geometry/mesh.hpp"

namespace lbm::geometry {

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
inline std::vector<EdgeUse> edge_uses(const Mesh& mesh) {
  std::vector<EdgeUse> uses;
  uses.reserve(3 * mesh.triangles.size());
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    const auto& t = mesh.triangles[n];
    if (has_equal_corners(t)) continue;
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = t[k], b = t[(k + 1) % 3];
      uses.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(n), a < b});
    }
  }
  std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
  });
  return uses;
}

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
