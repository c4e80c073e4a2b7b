// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "solver/lattice/d3q19.hpp"

namespace lbm::cases {
namespace {

using geometry::cross, geometry::dot, geometry::length;

// Rodrigues' formula.
Vec3 rotated(const Vec3& p, const Rotation& rotation) {
  const Vec3 k = geometry::unit(rotation.axis);
  const double angle = rotation.degrees * std::numbers::pi / 180;
  const double sin = std::sin(angle), cos = std::cos(angle), along = dot(k, p) * (1 - cos);
  const Vec3 across = cross(k, p);
  Vec3 result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = p[i] * cos + across[i] * sin + k[i] * along;
  return result;
}

Vec3 turned(const Body& body, Vec3 p) {
  for (const Rotation& rotation : body.rotate) p = rotated(p, rotation);
  return p;
}

Vec3 placed(const Body& body, const Vec3& p) {
  const double scale = body.scale.value_or(1);
  const Vec3 move = body.translate.value_or(Vec3{});
  Vec3 result = turned(body, {p[0] * scale, p[1] * scale, p[2] * scale});
  for (std::size_t i = 0; i < 3; ++i) result[i] += move[i];
  return result;
}

void include(std::optional<Bounds>& bounds, const Vec3& point, const Vec3& margin) {
  if (!bounds) bounds = Bounds{point, point};
  for (std::size_t i = 0; i < 3; ++i) {
    bounds->low[i] = std::min(bounds->low[i], point[i] - margin[i]);
    bounds->high[i] = std::max(bounds->high[i], point[i] + margin[i]);
  }
}

// Bounds of an axis-aligned box after the transforms.
std::optional<Bounds> placed_box(const Body& body, const Bounds& box) {
  std::optional<Bounds> bounds;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3 p;
    for (std::size_t i = 0; i < 3; ++i) p[i] = (corner >> i & 1U) != 0 ? box.high[i] : box.low[i];
    include(bounds, placed(body, p), {0, 0, 0});
  }
  return bounds;
}

// Bounds of two ends with a radius. The flat caps of a cylinder extend less along its axis than the
// round ones of a capsule.
std::optional<Bounds> rod_bounds(const Body& body) {
  const double radius = *body.radius * body.scale.value_or(1);
  const Vec3 from = placed(body, *body.from), to = placed(body, *body.to);
  const Vec3 axis{to[0] - from[0], to[1] - from[1], to[2] - from[2]};
  Vec3 margin{radius, radius, radius};
  if (body.shape == BodyShape::cylinder) {
    for (std::size_t i = 0; i < 3; ++i) {
      const double along = axis[i] / length(axis);
      margin[i] = radius * std::sqrt(std::max(0.0, 1 - along * along));
    }
  }
  std::optional<Bounds> bounds;
  include(bounds, from, margin);
  include(bounds, to, margin);
  return bounds;
}

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
  return placed_box(body, *bounds);
}

std::optional<Bounds> BodyBounds::own(const Body& body) {
  switch (*body.shape) {
    case BodyShape::box:
    case BodyShape::ellipsoid: {
      const Vec3 &c = *body.center, &s = *body.size;
      return placed_box(body, {{c[0] - s[0] / 2, c[1] - s[1] / 2, c[2] - s[2] / 2},
                               {c[0] + s[0] / 2, c[1] + s[1] / 2, c[2] + s[2] / 2}});
    }
    case BodyShape::sphere: {
      const double radius = *body.radius * body.scale.value_or(1);
      std::optional<Bounds> bounds;
      include(bounds, placed(body, *body.center), {radius, radius, radius});
      return bounds;
    }
    case BodyShape::cylinder:
    case BodyShape::capsule:
      return rod_bounds(body);
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
  double extent = 0;
  if (body.size) {
    extent = *std::min_element(body.size->begin(), body.size->end());
  } else if (body.radius) {
    extent = 2 * *body.radius;
  } else {
    return std::nullopt;
  }
  if (body.shape == BodyShape::cylinder) {
    const Vec3 &a = *body.from, &b = *body.to;
    extent = std::min(extent, length({b[0] - a[0], b[1] - a[1], b[2] - a[2]}));
  }
  return to_cells(units, extent * body.scale.value_or(1));
}

// A link passes a wall whose thickness is below the part of the link along the normal.
std::optional<double> tight_thickness(const Body& body) {
  Vec3 normal{};
  if (body.shape == BodyShape::box) {
    const auto& size = *body.size;
    normal[static_cast<std::size_t>(std::min_element(size.begin(), size.end()) - size.begin())] = 1;
  } else if (body.shape == BodyShape::cylinder) {
    for (std::size_t i = 0; i < 3; ++i) normal[i] = (*body.to)[i] - (*body.from)[i];
    if (length(normal) > 2 * *body.radius) return std::nullopt;  // no plate
  } else {
    return std::nullopt;
  }
  normal = geometry::unit(turned(body, normal));
  double longest = 0;
  for (int q = 1; q < d3q19::directions; ++q) {
    const Vec3 link{1.0 * d3q19::cx(q), 1.0 * d3q19::cy(q), 1.0 * d3q19::cz(q)};
    longest = std::max(longest, std::abs(dot(link, normal)));
  }
  return longest;
}

bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units) {
  const Vec3 point = to_cells(units, placed(plane, *plane.center));
  const Vec3 normal = turned(plane, *plane.normal);
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
