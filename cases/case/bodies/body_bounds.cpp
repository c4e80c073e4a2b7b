// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_bounds.hpp"

#include <algorithm>

#include "cases/case/bodies/closed_forms.hpp"
#include "cases/geometry/combined.hpp"

namespace lbm::cases {
namespace {

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
