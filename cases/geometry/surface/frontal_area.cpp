// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/frontal_area.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::geometry {
namespace {

constexpr int most_points = 1024;

// Points of a plane: centres of squares that fill the projection.
struct Points {
  double left, bottom, size;
  int width, height;
  std::vector<char> covered;
};

struct Corner {
  double u, v;
};

// Where the line from a to b is at v; a.v != b.v.
double at(const Corner& a, const Corner& b, double v) {
  return a.u + (v - a.v) / (b.v - a.v) * (b.u - a.u);
}

void cover(Points& points, const std::array<Corner, 3>& t) {
  const auto [low, high] = std::minmax({t[0].v, t[1].v, t[2].v});
  const int first =
      std::max(0, static_cast<int>(std::ceil((low - points.bottom) / points.size - 0.5)));
  for (int row = first; row < points.height; ++row) {
    const double v = points.bottom + (row + 0.5) * points.size;
    if (v > high) return;
    double from = INFINITY;
    double to = -INFINITY;
    for (std::size_t i = 0; i < 3; ++i) {
      const Corner& a = t[i];
      const Corner& b = t[(i + 1) % 3];
      if (std::min(a.v, b.v) > v || std::max(a.v, b.v) < v || a.v == b.v) continue;
      from = std::min(from, at(a, b, v));
      to = std::max(to, at(a, b, v));
    }
    if (from > to) continue;
    const int begin = static_cast<int>(std::ceil((from - points.left) / points.size - 0.5));
    const int end = static_cast<int>(std::floor((to - points.left) / points.size - 0.5));
    char* cells = points.covered.data() + static_cast<std::ptrdiff_t>(row) * points.width;
    for (int i = std::max(0, begin); i <= std::min(points.width - 1, end); ++i) cells[i] = 1;
  }
}

}  // namespace

double frontal_area(const Mesh& mesh, std::size_t axis) {
  Box box;
  for (const Vec& p : mesh.vertices) box.add(p);
  if (box.empty()) return 0;
  const std::size_t u = (axis + 1) % 3;
  const std::size_t v = (axis + 2) % 3;
  const double wide = box.high[u] - box.low[u];
  const double high = box.high[v] - box.low[v];
  const double size = std::max(wide, high) / most_points;
  if (!(size > 0)) return 0;
  const auto count = [&](double length) {
    return std::max(1, static_cast<int>(std::ceil(length / size)));
  };
  Points points{box.low[u], box.low[v], size, count(wide), count(high), {}};
  points.covered.resize(static_cast<std::size_t>(points.width) * points.height);
  for (const auto& triangle : mesh.triangles) {
    std::array<Corner, 3> corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec& p = mesh.vertices[triangle[i]];
      corners[i] = {p[u], p[v]};
    }
    cover(points, corners);
  }
  const auto covered = std::count(points.covered.begin(), points.covered.end(), char{1});
  return static_cast<double>(covered) * size * size;
}

}  // namespace lbm::geometry
