// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/mesh_measures.hpp"

#include <algorithm>

namespace lbm::geometry {
namespace {

std::vector<Mesh> parts_of(const Mesh& mesh) {
  VertexSets connected(mesh.vertices.size());
  for (const auto& t : mesh.triangles)
    for (const std::int32_t v : {t[1], t[2]}) connected.join(v, t[0]);
  std::vector<std::int32_t> part(mesh.vertices.size(), -1), place(mesh.vertices.size(), -1);
  std::vector<Mesh> parts;
  for (const auto& t : mesh.triangles) {
    std::int32_t& index = part[connected.find(t[0])];
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

// Seen along y. Points of the plane are centres of squares that fill the projection.
double frontal_area(Mesh mesh, std::size_t axis) {
  constexpr int most_points = 1024;
  Box box;
  for (Vec& p : mesh.vertices) {
    p = {p[(axis + 1) % 3], p[axis], p[(axis + 2) % 3]};
    box.add(p);
  }
  const Vec extent = box.high - box.low;
  const double size = std::max(extent[0], extent[2]) / most_points;
  if (!(size > 0)) return 0;
  std::vector<char> covered(static_cast<std::size_t>(most_points) * most_points);
  // The first point at or behind a place.
  const auto point = [&](double place) { return static_cast<int>(std::ceil(place / size - 0.5)); };
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    Box around;
    for (const std::int32_t v : mesh.triangles[n]) around.add(mesh.vertices[v] - box.low);
    const int last = std::min(point(around.high[2]), most_points - 1);
    for (int row = std::max(point(around.low[2]), 0); row <= last; ++row) {
      const auto cut =
          cut_by_plane(mesh, static_cast<std::int32_t>(n), box.low[2] + (row + 0.5) * size);
      if (!cut) continue;
      const auto [from, to] = std::minmax(cut->down[0], cut->up[0]);
      const int end = std::min(point(to - box.low[0]), most_points);
      for (int i = std::max(point(from - box.low[0]), 0); i < end; ++i)
        covered[static_cast<std::size_t>(row) * most_points + i] = 1;
    }
  }
  return static_cast<double>(std::count(covered.begin(), covered.end(), char{1})) * size * size;
}

}  // namespace lbm::geometry
