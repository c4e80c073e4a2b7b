// SPDX-License-Identifier: Apache-2.0
#include "io/surface/polygon.hpp"

#include <algorithm>
#include <cmath>

namespace lbm::io {
namespace {

using Point = std::array<double, 2>;

// Twice the area of the triangle; positive if it is counterclockwise.
double area(const Point& a, const Point& b, const Point& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Along the axis of the largest component of Newell's normal; mirrored where that is negative, so
// that the polygon is counterclockwise.
std::vector<Point> projected(std::span<const std::array<double, 3>> points,
                             std::span<const std::int32_t> corners) {
  std::array<double, 3> normal{};
  for (std::size_t n = 0; n < corners.size(); ++n) {
    const auto& p = points[corners[n]];
    const auto& q = points[corners[(n + 1) % corners.size()]];
    for (int a = 0; a < 3; ++a) {
      const int u = (a + 1) % 3, v = (a + 2) % 3;
      normal[a] += (p[u] - q[u]) * (p[v] + q[v]);
    }
  }
  int axis = 0;
  for (int a = 1; a < 3; ++a)
    if (std::fabs(normal[a]) > std::fabs(normal[axis])) axis = a;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double sign = normal[axis] < 0 ? -1 : 1;
  std::vector<Point> flat;
  flat.reserve(corners.size());
  for (const std::int32_t corner : corners)
    flat.push_back({sign * points[corner][u], points[corner][v]});
  return flat;
}

bool is_convex(const std::vector<Point>& p) {
  for (std::size_t n = 0; n < p.size(); ++n)
    if (area(p[n], p[(n + 1) % p.size()], p[(n + 2) % p.size()]) < 0) return false;
  return true;
}

// True if the triangle at position n of the rest is counterclockwise and contains no other corner
// of the rest.
bool is_ear(const std::vector<Point>& p, const std::vector<std::size_t>& rest, std::size_t n) {
  const std::size_t m = rest.size();
  const Point &a = p[rest[(n + m - 1) % m]], &b = p[rest[n]], &c = p[rest[(n + 1) % m]];
  if (area(a, b, c) <= 0) return false;
  return std::none_of(rest.begin(), rest.end(), [&](std::size_t k) {
    const Point& q = p[k];
    return q != a && q != b && q != c && area(a, b, q) >= 0 && area(b, c, q) >= 0 &&
           area(c, a, q) >= 0;
  });
}

}  // namespace

bool cut_polygon(std::span<const std::array<double, 3>> points,
                 std::span<const std::int32_t> corners,
                 std::vector<std::array<std::int32_t, 3>>& triangles) {
  std::vector<std::size_t> rest(corners.size());
  for (std::size_t n = 0; n < rest.size(); ++n) rest[n] = n;
  if (corners.size() > 3) {
    const std::vector<Point> flat = projected(points, corners);
    const bool convex = is_convex(flat);
    if (!convex && corners.size() > most_corners) return false;
    while (!convex && rest.size() > 3) {
      std::size_t n = 0;
      while (n < rest.size() && !is_ear(flat, rest, n)) ++n;
      if (n == rest.size()) break;  // it crosses itself: a fan of the rest
      const std::size_t m = rest.size();
      triangles.push_back(
          {corners[rest[(n + m - 1) % m]], corners[rest[n]], corners[rest[(n + 1) % m]]});
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(n));
    }
  }
  for (std::size_t n = 1; n + 1 < rest.size(); ++n)
    triangles.push_back({corners[rest[0]], corners[rest[n]], corners[rest[n + 1]]});
  return true;
}

}  // namespace lbm::io
