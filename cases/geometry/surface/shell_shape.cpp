// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/shell_shape.hpp"

#include <algorithm>
#include <utility>

namespace lbm::geometry {
namespace {

struct Triangle {
  Vec a, b, c;
};

// Squared distance of a point and a segment.
double squared_distance(const Vec& p, const Vec& a, const Vec& b) {
  const Vec ab = b - a, ap = p - a;
  const double whole = dot(ab, ab);
  const double share = whole > 0 ? std::clamp(dot(ap, ab) / whole, 0.0, 1.0) : 0.0;
  const Vec off = ap - share * ab;
  return dot(off, off);
}

// Squared distance of a point and a triangle: to the plane of the triangle if the point lies above
// or below the triangle, else to the nearest side.
double squared_distance(const Vec& p, const Triangle& t) {
  const Vec ab = t.b - t.a, bc = t.c - t.b, ca = t.a - t.c, normal = cross(ab, t.c - t.a);
  const double size = dot(normal, normal);
  if (size > 0 && dot(cross(ab, p - t.a), normal) >= 0 && dot(cross(bc, p - t.b), normal) >= 0 &&
      dot(cross(ca, p - t.c), normal) >= 0) {
    const double height = dot(p - t.a, normal);
    return height * height / size;
  }
  return std::min({squared_distance(p, t.a, t.b), squared_distance(p, t.b, t.c),
                   squared_distance(p, t.c, t.a)});
}

// The part of a segment within a convex body, by shares: from `low` to `high`; none if low > high.
class Stretch {
 public:
  double low = 0, high = 1;

  // Keeps where a + b t <= 0.
  void keep(double a, double b) {
    if (b > 0)
      high = std::min(high, -a / b);
    else if (b < 0)
      low = std::max(low, -a / b);
    else if (a > 0)
      high = -1;
  }
  // Keeps where |offset + along t| <= radius.
  void keep_ball(const Vec& offset, const Vec& along, double radius) {
    const double square = dot(along, along), half = dot(offset, along);
    const double rest = dot(offset, offset) - radius * radius;
    if (square == 0) return keep(rest, 0);
    const double root = half * half - square * rest;
    if (root < 0) return keep(1, 0);
    low = std::max(low, (-half - std::sqrt(root)) / square);
    high = std::min(high, (-half + std::sqrt(root)) / square);
  }
  bool none() const { return !(low <= high); }
};

// The stretch of a segment within `radius` of a triangle. That is a convex body, the union of a
// prism above and below the triangle, three cylinders around its sides and three balls around its
// corners.
class NearTriangle {
 public:
  NearTriangle(const Segment& s, const Triangle& t, double radius)
      : from_(s.from), along_(s.direction()), radius_(radius) {
    prism(t);
    const std::array corners{t.a, t.b, t.c};
    for (std::size_t n = 0; n < 3; ++n) {
      cylinder(corners[n], corners[(n + 1) % 3]);
      Stretch ball;
      ball.keep_ball(from_ - corners[n], along_, radius_);
      add(ball);
    }
  }
  // None if low > high.
  const Stretch& stretch() const { return all_; }

 private:
  void add(const Stretch& part) {
    if (part.none()) return;
    all_.low = std::min(all_.low, part.low);
    all_.high = std::max(all_.high, part.high);
  }

  void prism(const Triangle& t) {
    Vec normal = cross(t.b - t.a, t.c - t.a);
    const double size = length(normal);
    if (!(size > 0)) return;
    normal = (1 / size) * normal;
    Stretch part;
    const double height = dot(from_ - t.a, normal), climb = dot(along_, normal);
    part.keep(height - radius_, climb);
    part.keep(-height - radius_, -climb);
    const std::array corners{t.a, t.b, t.c};
    for (std::size_t n = 0; n < 3; ++n) {
      const Vec outward = cross(corners[(n + 1) % 3] - corners[n], normal);
      part.keep(dot(from_ - corners[n], outward), dot(along_, outward));
    }
    add(part);
  }

  void cylinder(const Vec& a, const Vec& b) {
    const Vec axis = b - a;
    const double square = dot(axis, axis);
    if (!(square > 0)) return;
    const auto across = [&](const Vec& v) { return v - (dot(v, axis) / square) * axis; };
    Stretch part;
    part.keep_ball(across(from_ - a), across(along_), radius_);
    part.keep(-dot(from_ - a, axis), -dot(along_, axis));
    part.keep(dot(from_ - b, axis), dot(along_, axis));
    add(part);
  }

  Vec from_, along_;
  double radius_;
  Stretch all_{.low = 2, .high = -1};
};

Triangle triangle_of(const Mesh& mesh, std::int32_t n) {
  const auto& t = mesh.triangles[n];
  return {mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]};
}

}  // namespace

ShellShape::ShellShape(Mesh mesh, double thickness, const TimeLimit& limit)
    : limit_(limit), mesh_(std::move(mesh)), bvh_(mesh_), radius_(thickness / 2) {
  const Vec margin{radius_, radius_, radius_};
  for (const auto& t : mesh_.triangles)
    for (const std::int32_t v : t) {
      bounds_.add(mesh_.vertices[v] - margin);
      bounds_.add(mesh_.vertices[v] + margin);
    }
}

int ShellShape::side(const Vec& p) const {
  limit_.check();
  bool near = false;
  bvh_.visit(
      [&](const Bvh::Node& n) {
        if (near) return false;
        for (int a = 0; a < 3; ++a)
          if (n.low[a] - radius_ > p[a] || n.high[a] + radius_ < p[a]) return false;
        return true;
      },
      [&](std::int32_t t) {
        near = near || squared_distance(p, triangle_of(mesh_, t)) <= radius_ * radius_;
      });
  return near ? 1 : -1;
}

template <class Act>
void ShellShape::each_stretch(const Segment& s, Act act) const {
  limit_.check();
  const Box box = Box::of(s);
  bvh_.visit(
      [&](const Bvh::Node& n) {
        for (int a = 0; a < 3; ++a)
          if (n.low[a] - radius_ > box.high[a] || n.high[a] + radius_ < box.low[a]) return false;
        return true;
      },
      [&](std::int32_t t) {
        const Stretch stretch = NearTriangle(s, triangle_of(mesh_, t), radius_).stretch();
        if (!stretch.none()) act(stretch);
      });
}

void ShellShape::crossings(const Segment& s, std::vector<double>& shares) const {
  each_stretch(s, [&](const Stretch& stretch) {
    shares.push_back(std::clamp(stretch.low, 0.0, 1.0));
    shares.push_back(std::clamp(stretch.high, 0.0, 1.0));
  });
}

std::optional<double> ShellShape::first_entry(const Segment& s) const {
  double nearest = 2;
  each_stretch(s, [&](const Stretch& stretch) {
    if (stretch.low < stretch.high) nearest = std::min(nearest, stretch.low);
  });
  if (nearest > 1) return std::nullopt;
  return std::max(nearest, 0.0);
}

}  // namespace lbm::geometry
