// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/surface/open_shapes.hpp"

#include <algorithm>
#include <utility>

#include "cases/geometry/surface/mesh_prepare.hpp"

namespace lbm::geometry {
namespace {

constexpr int enough_votes = 4;  // of six

Vec turned(const Vec& p, int axis) { return {p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]}; }

// A cyclic change of axes keeps the orientation of the triangles.
MeshShape surface_along(Mesh mesh, int axis, const TimeLimit& limit) {
  limit.check();
  for (Vec& p : mesh.vertices) p = turned(p, axis);
  return MeshShape(std::move(mesh));
}

Mesh border_mesh(const Mesh& mesh) {
  Mesh border;
  for (const BorderEdge& e : border_of(mesh)) {
    const auto first = static_cast<std::int32_t>(border.vertices.size());
    border.vertices.push_back(mesh.vertices[e.from]);
    border.vertices.push_back(mesh.vertices[e.to]);
    border.triangles.push_back({first, first + 1, first + 1});
  }
  return border;
}

// Share of the segment at which it crosses the edge a b, both seen along an axis; with a margin at
// the ends of the edge.
std::optional<double> crossing(const Segment& s, const Vec& a, const Vec& b, int axis) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto across = [&](const Vec& p, const Vec& q) { return p[u] * q[v] - p[v] * q[u]; };
  constexpr double margin = 1e-9;
  const Vec along = s.direction(), edge = b - a, between = a - s.from;
  const double det = across(along, edge);
  if (det == 0) return std::nullopt;
  const double share = across(between, edge) / det, at = across(between, along) / det;
  if (!(share >= 0 && share <= 1 && at >= -margin && at <= 1 + margin)) return std::nullopt;
  return share;
}

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

FilledShape::FilledShape(const Mesh& mesh, const TimeLimit& limit)
    : limit_(limit),
      surfaces_{surface_along(mesh, 0, limit), surface_along(mesh, 1, limit),
                surface_along(mesh, 2, limit)},
      border_(border_mesh(mesh)),
      border_bvh_(border_) {}

int FilledShape::votes(const Vec& p, int axis) const {
  const MeshShape::Winding winding = surfaces_[axis].winding(turned(p, axis));
  return (winding.from_below != 0 ? 1 : 0) + (winding.from_above != 0 ? 1 : 0);
}

int FilledShape::side(const Vec& p) const {
  limit_.check();
  const Box box = bounds();
  for (int a = 0; a < 3; ++a)
    if (p[a] < box.low[a] || p[a] > box.high[a]) return -1;
  int sum = votes(p, 0) + votes(p, 1);
  // The last axis only where it decides.
  if (sum < enough_votes && sum + 2 >= enough_votes) sum += votes(p, 2);
  return sum >= enough_votes ? 1 : -1;
}

void FilledShape::crossings(const Segment& s, std::vector<double>& shares) const {
  limit_.check();
  surfaces_[0].crossings(s, shares);
  for (int axis = 0; axis < 3; ++axis) {
    Box box = Box::of(s);
    box.low[axis] = -Box::infinity;
    box.high[axis] = Box::infinity;
    border_bvh_.visit(box, [&](std::int32_t t) {
      const auto& edge = border_.triangles[t];
      if (const auto share =
              crossing(s, border_.vertices[edge[0]], border_.vertices[edge[1]], axis))
        shares.push_back(*share);
    });
  }
}

double FilledShape::volume() const {
  constexpr int lines = 48;
  const Box box = bounds();
  const Vec size = box.high - box.low;
  std::vector<double> shares;
  double sum = 0;
  for (int j = 0; j < lines; ++j)
    for (int k = 0; k < lines; ++k) {
      const double y = box.low[1] + size[1] * (j + 0.5) / lines;
      const double z = box.low[2] + size[2] * (k + 0.5) / lines;
      const Segment line{{box.low[0], y, z}, {box.high[0], y, z}};
      shares = {0, 1};
      crossings(line, shares);
      std::sort(shares.begin(), shares.end());
      for (std::size_t n = 0; n + 1 < shares.size(); ++n)
        if (shares[n] < shares[n + 1] && inside(line.at(0.5 * (shares[n] + shares[n + 1]))))
          sum += shares[n + 1] - shares[n];
    }
  return sum / (lines * lines) * size[0] * size[1] * size[2];
}

ShellShape::ShellShape(Mesh mesh, double thickness, const TimeLimit& limit)
    : limit_(limit),
      mesh_(std::move(mesh)),
      bvh_(mesh_),
      radius_(thickness / 2),
      reach_{radius_, radius_, radius_} {
  for (const auto& t : mesh_.triangles)
    for (const std::int32_t v : t) bounds_.add(mesh_.vertices[v]);
  bounds_ = bounds_.grown(reach_);
}

int ShellShape::side(const Vec& p) const {
  limit_.check();
  bool near = false;
  bvh_.visit(Box{p, p}.grown(reach_), [&](std::int32_t t) {
    near = near || squared_distance(p, triangle_of(mesh_, t)) <= radius_ * radius_;
  });
  return near ? 1 : -1;
}

template <class Act>
void ShellShape::each_stretch(const Segment& s, Act act) const {
  limit_.check();
  bvh_.visit(Box::of(s).grown(reach_), [&](std::int32_t t) {
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
