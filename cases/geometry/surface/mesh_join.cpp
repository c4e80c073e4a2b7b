// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_join.hpp"

#include <algorithm>
#include <unordered_map>

#include "cases/geometry/mesh_edges.hpp"

namespace lbm::geometry {
namespace {

// Vertices seen so far, hashed by cells of the size of the tolerance.
class NearVertices {
 public:
  NearVertices(const Mesh& mesh, double tolerance) : mesh_(mesh), tolerance_(tolerance) {}

  // An earlier vertex within the tolerance, or `vertex` itself.
  std::int32_t find_or_add(std::int32_t vertex) {
    const Cell cell = cell_of(mesh_.vertices[vertex]);
    for (int n = 0; n < 27; ++n) {
      const auto at =
          cells_.find(key({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1}));
      if (at == cells_.end()) continue;
      for (const std::int32_t other : at->second)
        if (length(mesh_.vertices[other] - mesh_.vertices[vertex]) <= tolerance_) return other;
    }
    cells_[key(cell)].push_back(vertex);
    return vertex;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Vec& p) const {
    constexpr double most = 4e18;  // corners farther away than that share a cell
    Cell cell;
    for (int a = 0; a < 3; ++a)
      cell[a] = static_cast<std::int64_t>(std::clamp(std::floor(p[a] / tolerance_), -most, most));
    return cell;
  }
  // Cells with the same key are searched together.
  static std::uint64_t key(const Cell& c) {
    return static_cast<std::uint64_t>(c[0]) * 0x9E3779B97F4A7C15U ^
           static_cast<std::uint64_t>(c[1]) * 0xC2B2AE3D27D4EB4FU ^
           static_cast<std::uint64_t>(c[2]) * 0x165667B19E3779F9U;
  }

  const Mesh& mesh_;
  double tolerance_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> cells_;
};

}  // namespace

double usual_edge(const Mesh& mesh) {
  std::vector<double> lengths;
  lengths.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles)
    for (int n = 0; n < 3; ++n)
      lengths.push_back(length(mesh.vertices[t[n]] - mesh.vertices[t[(n + 1) % 3]]));
  if (lengths.empty()) return 0;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

void weld_open_edges(Mesh& mesh, double tolerance) {
  std::vector<std::int32_t> target(mesh.vertices.size(), -1);
  NearVertices near(mesh, tolerance);
  for_each_edge(edge_uses(mesh), [&](const EdgeUse* first, const EdgeUse* last) {
    if (last - first != 1) return;
    for (const std::int32_t v : {first->low, first->high})
      if (target[v] < 0) target[v] = near.find_or_add(v);
  });
  for (auto& t : mesh.triangles)
    for (std::int32_t& v : t)
      if (target[v] >= 0) v = target[v];
}

}  // namespace lbm::geometry
