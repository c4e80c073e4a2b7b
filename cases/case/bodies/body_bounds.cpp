// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "cases/case/bodies/body_transform.hpp"
#include "cases/geometry/primitives/polygon.hpp"
#include "solver/lattice/d3q19.hpp"

namespace lbm::cases {
namespace {

using geometry::cross, geometry::dot, geometry::length;
using geometry::operator+, geometry::operator-, geometry::operator*;

geometry::Affine linear(geometry::Affine a) {
  a.shift = {0, 0, 0};
  return a;
}

// How far the transform of a ball reaches from its centre along the axes.
Vec3 ball_reach(const geometry::Affine& place, double radius) {
  Vec3 reach;
  for (std::size_t i = 0; i < 3; ++i) reach[i] = radius * length(place.matrix[i]);
  return reach;
}

void include(std::optional<Bounds>& bounds, const Vec3& point, const Vec3& margin) {
  if (!bounds) bounds = Bounds{point, point};
  for (std::size_t i = 0; i < 3; ++i) {
    bounds->low[i] = std::min(bounds->low[i], point[i] - margin[i]);
    bounds->high[i] = std::max(bounds->high[i], point[i] + margin[i]);
  }
}

Bounds polygon_box(const Body& body) {
  const auto axis = static_cast<std::size_t>(extrusion_axis(body));
  const std::size_t u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
  Bounds box;
  for (const auto& point : body.points) {
    Vec3 p{};
    p[u] = point[0];
    p[v] = point[1];
    box.add(p);
  }
  box.low[axis] = body.span ? (*body.span)[0] : -Bounds::infinity;
  box.high[axis] = body.span ? (*body.span)[1] : Bounds::infinity;
  return box;
}

double polygon_extent(const Body& body) {
  const Vec3 s = scale_of(body);
  const auto axis = static_cast<std::size_t>(extrusion_axis(body));
  geometry::Polygon points = body.points;
  for (auto& point : points) {
    point[0] *= s[axis == 0 ? 1 : 0];
    point[1] *= s[axis == 2 ? 1 : 2];
  }
  const double span = body.span ? (*body.span)[1] - (*body.span)[0] : Bounds::infinity;
  return std::min(geometry::width(points), span * std::abs(s[axis]));
}

// A cylinder after a transform, which makes its cross-section an ellipse, also an oblique one.
class Rod {
 public:
  Rod(const Body& body, const geometry::Affine& place) {
    const auto turn = linear(place);
    from = place(*body.from);
    to = place(*body.to);
    const Vec3 n = geometry::unit(*body.to - *body.from);
    const bool elliptic = body.shape == BodyShape::elliptic_cylinder;
    const Vec3 direction = elliptic ? *direction_of(body) : geometry::perpendicular(n);
    const Vec3 across = geometry::unit(direction - dot(direction, n) * n);
    first_ = turn((elliptic ? (*body.radii)[0] : *body.radius) * across);
    second_ = turn((elliptic ? (*body.radii)[1] : *body.radius) * cross(n, across));
  }

  Vec3 reach() const {
    Vec3 result;
    for (std::size_t i = 0; i < 3; ++i) result[i] = std::hypot(first_[i], second_[i]);
    return result;
  }
  // Smallest diameter of the mantle as seen along the axis.
  double width() const {
    const Vec3 n = geometry::unit(to - from);
    Vec3 u = first_ - dot(first_, n) * n, v = second_ - dot(second_, n) * n;
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
  Vec3 normal() const { return geometry::unit(cross(first_, second_)); }  // of the flat ends
  // Distance of the flat ends.
  double height() const { return std::abs(dot(to - from, normal())); }

  Vec3 from, to;

 private:
  Vec3 first_, second_;  // conjugate half axes of the ends
};

}  // namespace

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
  return known_[body.name] = own(body);
}

std::optional<Bounds> BodyBounds::combined(const Body& body) {
  std::optional<Bounds> bounds;
  for (const std::string& name : body.of) {
    const Body* part = index_.find(name);
    const auto next = part ? known(*part) : std::nullopt;
    if (!next && body.shape == BodyShape::intersection) continue;  // the known bounds contain it
    if (!next) return std::nullopt;
    if (bounds && body.shape == BodyShape::intersection) {
      for (std::size_t i = 0; i < 3; ++i) {
        bounds->low[i] = std::max(bounds->low[i], next->low[i]);
        bounds->high[i] = std::min(bounds->high[i], next->high[i]);
      }
    } else {
      include(bounds, next->low, {0, 0, 0});
      include(bounds, next->high, {0, 0, 0});
    }
    if (body.shape == BodyShape::difference) break;
  }
  if (!bounds || bounds->empty()) return bounds;
  return moved(*bounds, transform_of(body));
}

std::optional<Bounds> BodyBounds::own(const Body& body) {
  const geometry::Affine place = transform_of(body);
  std::optional<Bounds> bounds;
  switch (*body.shape) {
    case BodyShape::box:
    case BodyShape::ellipsoid:
      return moved(Bounds{*body.center - 0.5 * *body.size, *body.center + 0.5 * *body.size}, place);
    case BodyShape::sphere:
      include(bounds, place(*body.center), ball_reach(place, *body.radius));
      return bounds;
    case BodyShape::cylinder:
    case BodyShape::elliptic_cylinder: {
      const Rod rod(body, place);
      include(bounds, rod.from, rod.reach());
      include(bounds, rod.to, rod.reach());
      return bounds;
    }
    case BodyShape::capsule:
      include(bounds, place(*body.from), ball_reach(place, *body.radius));
      include(bounds, place(*body.to), ball_reach(place, *body.radius));
      return bounds;
    case BodyShape::polygon:
      return moved(polygon_box(body), place);
    case BodyShape::torus: {
      const Vec3 n = geometry::unit(*body.axis), across = geometry::perpendicular(n);
      const auto& [ring, tube] = *body.radii;
      const geometry::Affine turn = linear(place);
      const Vec3 first = turn(ring * across), second = turn(ring * cross(n, across));
      Vec3 reach = ball_reach(place, tube);
      for (std::size_t i = 0; i < 3; ++i) reach[i] += std::hypot(first[i], second[i]);
      include(bounds, place(*body.center), reach);
      return bounds;
    }
    case BodyShape::union_of:
    case BodyShape::intersection:
    case BodyShape::difference:
      return combined(body);
    case BodyShape::plane:
    case BodyShape::surface:
    case BodyShape::stl:
    case BodyShape::voxels:
      break;
  }
  return std::nullopt;
}

std::optional<Bounds> BodyBounds::of(const Body& body) {
  const auto bounds = known(body);
  if (!bounds) return std::nullopt;
  return Bounds{to_cells(units_, bounds->low), to_cells(units_, bounds->high)};
}

std::optional<double> smallest_extent(const Body& body, const Units& units) {
  const geometry::Affine scale = geometry::scaling(scale_of(body));
  double extent = 0;
  switch (*body.shape) {
    case BodyShape::box:
    case BodyShape::ellipsoid: {
      const Vec3 size = scale(*body.size);
      extent = std::min({std::abs(size[0]), std::abs(size[1]), std::abs(size[2])});
      break;
    }
    case BodyShape::polygon:
      extent = polygon_extent(body);
      break;
    case BodyShape::torus:
      extent = 2 * (*body.radii)[1] * smallest_scale(body);
      break;
    case BodyShape::cylinder:
    case BodyShape::elliptic_cylinder: {
      const Rod rod(body, scale);
      const double least =
          body.radius ? *body.radius : std::min((*body.radii)[0], (*body.radii)[1]);
      const Vec3 s = scale_of(body);
      const bool uniform = std::abs(s[0]) == std::abs(s[1]) && std::abs(s[1]) == std::abs(s[2]);
      const double width = uniform ? 2 * least * std::abs(s[0]) : rod.width();
      extent = std::min(width, uniform ? length(rod.to - rod.from) : rod.height());
      break;
    }
    case BodyShape::sphere:
    case BodyShape::capsule:
      extent = 2 * *body.radius * smallest_scale(body);
      break;
    default:
      return std::nullopt;
  }
  return to_cells(units, extent);
}

int extrusion_axis(const Body& polygon) {
  const Vec3& axis = *polygon.axis;
  return axis[0] != 0 ? 0 : axis[1] != 0 ? 1 : 2;
}

std::optional<Vec3> direction_of(const Body& body) {
  if (body.direction) return body.direction;
  const Vec3 axis = *body.to - *body.from;
  if (std::count(axis.begin(), axis.end(), 0) != 2) return std::nullopt;
  return axis[0] == 0 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
}

// A link passes a wall whose thickness is below the part of the link along the normal.
std::optional<double> tight_thickness(const Body& body) {
  const geometry::Affine place = linear(transform_of(body));
  Vec3 normal{};
  if (body.shape == BodyShape::box) {
    const Vec3 size = geometry::scaling(scale_of(body))(*body.size);
    const auto thin = std::min_element(
        size.begin(), size.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    normal[static_cast<std::size_t>(thin - size.begin())] = 1;
    normal = geometry::unit(place(normal));
  } else if (body.shape == BodyShape::cylinder || body.shape == BodyShape::elliptic_cylinder) {
    const Rod rod(body, place);
    if (rod.height() > rod.width()) return std::nullopt;  // no plate
    normal = rod.normal();
  } else {
    return std::nullopt;
  }
  double longest = 0;
  for (int q = 1; q < d3q19::directions; ++q) {
    const Vec3 link{1.0 * d3q19::cx(q), 1.0 * d3q19::cy(q), 1.0 * d3q19::cz(q)};
    longest = std::max(longest, std::abs(dot(link, normal)));
  }
  return longest;
}

bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units) {
  const Vec3 point = to_cells(units, transform_of(plane)(*plane.center));
  // Normals turn as bodies do, but shrink where bodies grow.
  Body turn = plane;
  const Vec3 s = scale_of(plane);
  turn.scale = {1 / s[0], 1 / s[1], 1 / s[2]};
  turn.translate.reset();
  const Vec3 normal = transform_of(turn)(*plane.normal);
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = ((corner >> i & 1U) != 0 ? lbm_case.grid.cells[i] : 0) - point[i];
    }
    if (dot(p, normal) < 0) return false;
  }
  return true;
}

}  // namespace lbm::cases
