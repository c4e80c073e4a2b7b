// SPDX-License-Identifier: Apache-2.0

// Points, segments and boxes; scaling, rotation and translation of bodies; and the interface of a
// solid body for voxels and wall distances. Shapes are immutable; every function may be called from
// many threads. Positions are in cells. combined.cpp makes shapes of other shapes: moved, united,
// intersected, subtracted.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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
      low[a] = p[a] < low[a] ? p[a] : low[a];  // std::fmin() is a call
      high[a] = p[a] > high[a] ? p[a] : high[a];
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

// p -> matrix p + shift. (b * a)(p) = b(a(p)): scaling, then rotation, then translation is
// translation(t) * rotation(...) * scaling(s).
struct Affine {
  std::array<Vec, 3> matrix{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  // rows
  Vec shift{0, 0, 0};

  bool operator==(const Affine&) const = default;

  Vec operator()(const Vec& p) const {
    return Vec{dot(matrix[0], p), dot(matrix[1], p), dot(matrix[2], p)} + shift;
  }
  double determinant() const { return dot(matrix[0], cross(matrix[1], matrix[2])); }
};

Affine operator*(const Affine& second, const Affine& first);

// Throws UsageError for a singular or non-finite transform, which would flatten bodies.
Affine inverse(const Affine& a);

// Scales about the origin, one factor per axis.
Affine scaling(const Vec& factors);

// Right-handed rotation about an axis through the origin, exact at multiples of 90 degrees about a
// coordinate axis. The axis may have any finite length but zero.
Affine rotation(const Vec& axis, double degrees);

Affine translation(const Vec& shift);

// Bounds of the moved box. Stays finite along the axes that no infinite axis reaches.
Box moved(const Box& box, const Affine& a);

// Cell centres of a part of one plane: first + (i, j, 0) for i < nx, j < ny.
struct Window {
  Vec first;
  int nx = 0, ny = 0;
};

class Shape {
 public:
  virtual ~Shape() = default;

  // 1 inside, -1 outside, 0 on the surface, which is solid: solid means side >= 0.
  virtual int side(const Vec& p) const = 0;

  // Appends, in any order, every share in [0, 1] of the segment at which side() may change; other
  // shares are allowed as well.
  virtual void crossings(const Segment& s, std::vector<double>& shares) const = 0;

  // Contains all solid points.
  virtual Box bounds() const = 0;

  // side() of every cell of the window: sides[j * nx + i]. Writes every value.
  virtual void sides(const Window& w, std::span<std::int8_t> sides) const;

  // Share of the segment at which it first enters the body: 0 if it begins inside, empty if it
  // never does. Touching the surface in a point is no entry.
  virtual std::optional<double> first_entry(const Segment& s) const;

  bool inside(const Vec& p) const { return side(p) >= 0; }
};

using ShapePtr = std::shared_ptr<const Shape>;

// `shape` moved by `a`. The vertices of meshes are moved here, so that later queries cost nothing
// extra. Throws UsageError for an `a` that is singular or not finite.
ShapePtr transformed(const ShapePtr& shape, const Affine& a);

// Points in any part (union) or in all parts (intersection). std::invalid_argument without parts.
// A repeated part counts once.
ShapePtr make_union(const std::vector<ShapePtr>& parts);
ShapePtr make_intersection(const std::vector<ShapePtr>& parts);

// Points in `whole` and in none of `cuts`. The surface of a cut is solid.
ShapePtr make_difference(const ShapePtr& whole, const std::vector<ShapePtr>& cuts);

// The shapes in a combination, those of its parts and itself included; 1 for any other shape.
std::size_t part_count(const ShapePtr& shape);

}  // namespace lbm::geometry
