// SPDX-License-Identifier: Apache-2.0

// Points, segments and boxes, in cells.
#pragma once

#include <array>
#include <cmath>
#include <limits>

namespace lbm::geometry {

using Vec = std::array<double, 3>;

inline Vec operator+(const Vec& a, const Vec& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec operator-(const Vec& a, const Vec& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec operator*(double s, const Vec& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const Vec& a) { return std::sqrt(dot(a, a)); }
// Vector of length 1 along `a`. `a` may have any finite length but 0.
inline Vec unit(const Vec& a) {
  const double norm = length(a);
  // The squares neither overflow nor vanish.
  if (norm > 1e-150 && norm < 1e150) return {a[0] / norm, a[1] / norm, a[2] / norm};
  const double most = std::fmax(std::fabs(a[0]), std::fmax(std::fabs(a[1]), std::fabs(a[2])));
  const Vec b{a[0] / most, a[1] / most, a[2] / most};
  return {b[0] / length(b), b[1] / length(b), b[2] / length(b)};
}

// A vector of length 1 across `a`, which has the length 1.
inline Vec perpendicular(const Vec& a) {
  // The coordinate axis that is farthest from `a`.
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(a[k]) < std::fabs(a[axis])) axis = k;
  Vec b{};
  b[axis] = 1;
  return unit(b - a[axis] * a);
}

struct Segment {
  Vec from, to;
  Vec direction() const { return to - from; }
  Vec at(double t) const { return from + t * (to - from); }
};

// Closed box; infinite for infinite bodies. Empty (low > high) until a point is added.
struct Box {
  static constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec low{infinity, infinity, infinity};
  Vec high{-infinity, -infinity, -infinity};

  void add(const Vec& p) {
    for (int a = 0; a < 3; ++a) {
      low[a] = std::fmin(low[a], p[a]);
      high[a] = std::fmax(high[a], p[a]);
    }
  }
  void add(const Box& other) {
    add(other.low);
    add(other.high);
  }
  bool empty() const { return low[0] > high[0] || low[1] > high[1] || low[2] > high[2]; }
  Box grown(const Vec& by) const { return {low - by, high + by}; }
  bool touches(const Box& other) const {
    for (int a = 0; a < 3; ++a)
      if (low[a] > other.high[a] || high[a] < other.low[a]) return false;
    return true;
  }
  static Box everywhere() {
    return {{-infinity, -infinity, -infinity}, {infinity, infinity, infinity}};
  }
  static Box of(const Segment& s) {
    Box box;
    box.add(s.from);
    box.add(s.to);
    return box;
  }
};

}  // namespace lbm::geometry
