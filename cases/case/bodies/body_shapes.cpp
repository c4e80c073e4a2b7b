// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_shapes.hpp"

#include <algorithm>
#include <cmath>

#include "cases/geometry/primitives/primitives.hpp"
#include "solver/lattice/velocity_sets.hpp"

namespace lbm::cases {
namespace {

using geometry::Affine, geometry::cross, geometry::dot, geometry::length, geometry::unit;
using geometry::operator+, geometry::operator-, geometry::operator*;

// The smallest component, without its sign.
double least(const Vec3& v) { return std::min({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])}); }

Affine linear(Affine a) {
  a.shift = {0, 0, 0};
  return a;
}

double round_extent(const Body& body) { return 2 * *body.radius * least(scale_of(body)); }
double size_extent(const Body& body) {
  return least(geometry::scaling(scale_of(body))(*body.size));
}

double ends_support(const Body& body, const Vec3& n) {
  return std::max(dot(*body.from, n), dot(*body.to, n));
}

// A cylinder after a linear map, which makes its cross-section an ellipse, also an oblique one.
class Rod {
 public:
  explicit Rod(const Body& body, const Affine& turn = {}) {
    const Vec3 n = unit(*body.to - *body.from);
    const bool elliptic = body.shape == BodyShape::elliptic_cylinder;
    const Vec3 direction = elliptic ? *direction_of(body) : geometry::perpendicular(n);
    const Vec3 across = unit(direction - dot(direction, n) * n);
    first_ = turn((elliptic ? (*body.radii)[0] : *body.radius) * across);
    second_ = turn((elliptic ? (*body.radii)[1] : *body.radius) * cross(n, across));
    along_ = unit(turn(n));
    length_ = length(turn(*body.to - *body.from));
  }

  double support(const Vec3& n) const { return std::hypot(dot(first_, n), dot(second_, n)); }
  // Smallest diameter of the mantle as seen along the axis.
  double width() const {
    Vec3 u = first_ - dot(first_, along_) * along_, v = second_ - dot(second_, along_) * along_;
    double longest = 0;
    for (std::size_t i = 0; i < 3; ++i)
      longest = std::max({longest, std::abs(u[i]), std::abs(v[i])});
    u = (1 / longest) * u;  // so that squares do not overflow
    v = (1 / longest) * v;
    const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v);
    // The smaller eigenvalue of their Gram matrix, by its determinant.
    const double larger = (uu + vv + std::hypot(uu - vv, 2 * uv)) / 2;
    return 2 * longest * std::sqrt(std::max(0.0, uu * vv - uv * uv) / larger);
  }
  Vec3 normal() const { return unit(cross(first_, second_)); }  // of the flat ends
  // Distance of the flat ends.
  double height() const { return length_ * std::abs(dot(along_, normal())); }

 private:
  Vec3 first_, second_;  // conjugate half axes of the ends
  Vec3 along_;
  double length_;
};

double rod_support(const Body& body, const Vec3& n) {
  return ends_support(body, n) + Rod(body).support(n);
}
double rod_extent(const Body& body) {
  const Rod rod(body, geometry::scaling(scale_of(body)));
  return std::min(rod.width(), rod.height());
}

// The axis of a polygon, and those of its plane.
struct PolygonAxes {
  explicit PolygonAxes(const Body& body)
      : along(static_cast<std::size_t>(extrusion_axis(body))),
        u(along == 0 ? 1 : 0),
        v(along == 2 ? 1 : 2) {}
  std::size_t along, u, v;
};

std::array<double, 2> span_of(const Body& polygon) {
  constexpr double far = geometry::Box::infinity;
  return polygon.span.value_or(std::array{-far, far});
}

double polygon_support(const Body& body, const Vec3& n) {
  const PolygonAxes axes(body);
  double most = -geometry::Box::infinity;
  for (const auto& [u, v] : body.points) most = std::max(most, n[axes.u] * u + n[axes.v] * v);
  const double along = n[axes.along];
  return along == 0 ? most : most + along * span_of(body)[along > 0 ? 1 : 0];
}

double polygon_extent(const Body& body) {
  const Vec3 s = scale_of(body);
  const PolygonAxes axes(body);
  geometry::Polygon points = body.points;
  for (auto& point : points) point = {point[0] * s[axes.u], point[1] * s[axes.v]};
  const auto [from, to] = span_of(body);
  return std::min(geometry::width(points), (to - from) * std::abs(s[axes.along]));
}

std::optional<Bounds> bounds_of(const Body& body) {
  const ClosedForm* const form = closed_form(body);
  if (form == nullptr || form->support == nullptr) return std::nullopt;
  const geometry::Affine place = transform_of(body);
  Bounds bounds;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3& n = place.matrix[i];
    bounds.low[i] = place.shift[i] - form->support(body, {-n[0], -n[1], -n[2]});
    bounds.high[i] = place.shift[i] + form->support(body, n);
  }
  return bounds;
}

}  // namespace

const ClosedForm* closed_form(const Body& body) {
  using S = BodyShape;
  static const std::map<S, ClosedForm> all{
      {S::box,
       {[](const Body& b) { return geometry::make_box(*b.center, *b.size); },
        [](const Body& b, const Vec3& n) {
          double reach = 0;
          for (std::size_t i = 0; i < 3; ++i) reach += std::abs(n[i]) * (*b.size)[i] / 2;
          return dot(*b.center, n) + reach;
        },
        size_extent}},
      {S::sphere,
       {[](const Body& b) { return geometry::make_sphere(*b.center, *b.radius); },
        [](const Body& b, const Vec3& n) { return dot(*b.center, n) + *b.radius * length(n); },
        round_extent, true}},
      {S::ellipsoid,
       {[](const Body& b) { return geometry::make_ellipsoid(*b.center, *b.size); },
        [](const Body& b, const Vec3& n) {
          return dot(*b.center, n) + length(geometry::scaling(*b.size)(n)) / 2;
        },
        size_extent, true}},
      {S::cylinder,
       {[](const Body& b) { return geometry::make_cylinder(*b.from, *b.to, *b.radius); },
        rod_support, rod_extent}},
      {S::elliptic_cylinder,
       {[](const Body& b) {
          return geometry::make_elliptic_cylinder(*b.from, *b.to, *b.radii, *direction_of(b));
        },
        rod_support, rod_extent}},
      {S::capsule,
       {[](const Body& b) { return geometry::make_capsule(*b.from, *b.to, *b.radius); },
        [](const Body& b, const Vec3& n) { return ends_support(b, n) + *b.radius * length(n); },
        round_extent, true}},
      {S::torus,
       {[](const Body& b) {
          return geometry::make_torus(*b.center, *b.axis, (*b.radii)[0], (*b.radii)[1]);
        },
        [](const Body& b, const Vec3& n) {
          const Vec3 axis = unit(*b.axis), across = n - dot(n, axis) * axis;
          return dot(*b.center, n) + (*b.radii)[0] * length(across) + (*b.radii)[1] * length(n);
        },
        [](const Body& b) { return 2 * (*b.radii)[1] * least(scale_of(b)); }, true}},
      {S::polygon,
       {[](const Body& b) {
          const auto [from, to] = span_of(b);
          return geometry::make_prism(b.points, extrusion_axis(b), from, to);
        },
        polygon_support, polygon_extent}},
      {S::plane,
       {[](const Body& b) { return geometry::make_half_space(*b.center, *b.normal); }, nullptr,
        nullptr}}};
  const auto found = all.find(*body.shape);
  return found == all.end() ? nullptr : &found->second;
}

Vec3 scale_of(const Body& body) { return body.scale.value_or(Vec3{1, 1, 1}); }

Affine transform_of(const Body& body) {
  Affine all;
  if (body.scale && *body.scale != Vec3{1, 1, 1}) all = geometry::scaling(*body.scale) * all;
  for (const Rotation& r : body.rotate) all = geometry::rotation(r.axis, r.degrees) * all;
  if (body.translate) all = geometry::translation(*body.translate) * all;
  return all;
}

std::optional<Vec3> direction_of(const Body& body) {
  if (body.direction) return body.direction;
  const Vec3 axis = *body.to - *body.from;
  if (std::count(axis.begin(), axis.end(), 0) != 2) return std::nullopt;
  return axis[0] == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
}

int extrusion_axis(const Body& polygon) {
  const Vec3& axis = *polygon.axis;
  return axis[0] != 0 ? 0 : axis[1] != 0 ? 1 : 2;
}

// A link passes a wall whose thickness is below the part of the link along the normal.
std::optional<double> tight_thickness(const Body& body, VelocitySet velocities) {
  const Affine place = linear(transform_of(body));
  Vec3 normal{};
  if (body.shape == BodyShape::box) {
    const Vec3 size = geometry::scaling(scale_of(body))(*body.size);
    const auto thin = std::min_element(
        size.begin(), size.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    normal[static_cast<std::size_t>(thin - size.begin())] = 1;
    normal = unit(place(normal));
  } else if (body.shape == BodyShape::cylinder || body.shape == BodyShape::elliptic_cylinder) {
    const Rod rod(body, place);
    if (rod.height() > rod.width()) return std::nullopt;  // no plate
    normal = rod.normal();
  } else {
    return std::nullopt;
  }
  double longest = 0;
  for (int q = 1; q < directions_of(velocities); ++q) {
    const Vec3 link{1.0 * cx(q), 1.0 * cy(q), 1.0 * cz(q)};
    longest = std::max(longest, std::abs(dot(link, normal)));
  }
  return longest;
}

BodyIndex::BodyIndex(const Case& lbm_case) {
  for (const Body& body : lbm_case.bodies) bodies_.try_emplace(body.name, &body);
}

const Body* BodyIndex::find(std::string_view name) const {
  const auto found = bodies_.find(name);
  return found == bodies_.end() ? nullptr : found->second;
}

std::optional<Bounds> BodyBounds::known(const Body& body) {
  const auto found = known_.find(body.name);
  if (found != known_.end()) return found->second;
  return known_[body.name] = body.of.empty() ? bounds_of(body) : combined(body);
}

std::optional<Bounds> BodyBounds::combined(const Body& body) {
  std::optional<Bounds> bounds;
  for (const std::string& name : body.of) {
    const Body* part = index_.find(name);
    const auto next = part ? known(*part) : std::nullopt;
    if (!next && body.shape == BodyShape::intersection) continue;  // the known bounds contain it
    if (!next) return std::nullopt;
    if (!bounds) bounds = next;
    if (body.shape == BodyShape::union_of) bounds->add(*next);
    if (body.shape == BodyShape::difference) break;
    for (std::size_t i = 0; body.shape == BodyShape::intersection && i < 3; ++i) {
      bounds->low[i] = std::max(bounds->low[i], next->low[i]);
      bounds->high[i] = std::min(bounds->high[i], next->high[i]);
    }
  }
  if (!bounds || bounds->empty()) return bounds;
  return moved(*bounds, transform_of(body));
}

std::optional<Bounds> BodyBounds::of(const Body& body) {
  const auto bounds = known(body);
  if (!bounds) return std::nullopt;
  return Bounds{to_cells(units_, bounds->low), to_cells(units_, bounds->high)};
}

std::optional<double> smallest_extent(const Body& body, const Units& units) {
  const ClosedForm* const form = closed_form(body);
  if (form == nullptr || form->extent == nullptr) return std::nullopt;
  return to_cells(units, form->extent(body));
}

bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units) {
  const auto& n = lbm_case.grid.cells;
  const auto shape = geometry::transformed(closed_form(plane)->make(plane), transform_of(plane));
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = (corner >> i & 1U) * n[i] * units.length;
    if (shape->side(p) > 0) return false;
  }
  return true;
}

}  // namespace lbm::cases
