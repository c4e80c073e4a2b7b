// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/empty_parts.hpp"

#include <algorithm>
#include <numeric>

namespace lbm::geometry {
namespace {

std::vector<Mesh> parts_of(const Mesh& mesh) {
  std::vector<std::int32_t> root(mesh.vertices.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t v) {
    while (root[v] != v) v = root[v] = root[root[v]];
    return v;
  };
  for (const auto& t : mesh.triangles)
    for (const std::int32_t v : {t[1], t[2]}) root[find(v)] = find(t[0]);
  std::vector<std::int32_t> part(mesh.vertices.size(), -1), place(mesh.vertices.size(), -1);
  std::vector<Mesh> parts;
  for (const auto& t : mesh.triangles) {
    std::int32_t& index = part[find(t[0])];
    if (index < 0) {
      index = static_cast<std::int32_t>(parts.size());
      parts.emplace_back();
    }
    Mesh& own = parts[index];
    for (const std::int32_t v : t) {
      if (place[v] >= 0) continue;
      place[v] = static_cast<std::int32_t>(own.vertices.size());
      own.vertices.push_back(mesh.vertices[v]);
    }
    own.triangles.push_back({place[t[0]], place[t[1]], place[t[2]]});
  }
  return parts;
}

bool is_empty(const MeshShape& part, const std::array<int, 3>& cells,
              const std::array<bool, 3>& periodic, const TimeLimit& limit) {
  std::array<double, 3> first{}, count{};
  for (int a = 0; a < 3; ++a) {
    const double end = periodic[a] ? Box::infinity : cells[a];
    first[a] = std::max(std::ceil(part.bounds().low[a] - 0.5), periodic[a] ? -end : 0.0);
    count[a] = std::min(std::floor(part.bounds().high[a] + 0.5), end) - first[a];
    if (count[a] < 1) return true;
  }
  const int nx = static_cast<int>(count[0]), ny = static_cast<int>(count[1]);
  std::vector<std::int8_t> sides(static_cast<std::size_t>(nx) * ny);
  for (double z = 0; z < count[2]; ++z) {
    limit.check();
    part.sides({{first[0] + 0.5, first[1] + 0.5, first[2] + z + 0.5}, nx, ny}, sides);
    if (*std::max_element(sides.begin(), sides.end()) > 0) return false;
  }
  return true;
}

}  // namespace

PartCount count_empty_parts(const MeshShape& surface, const std::array<int, 3>& cells,
                            const std::array<bool, 3>& periodic, const TimeLimit& limit) {
  std::vector<Mesh> parts = parts_of(surface.mesh());
  PartCount count{static_cast<int>(parts.size()), 0};
  if (count.all == 1) return count;
  for (Mesh& part : parts)
    count.empty += is_empty(MeshShape(std::move(part)), cells, periodic, limit) ? 1 : 0;
  return count;
}

}  // namespace lbm::geometry
