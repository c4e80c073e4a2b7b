// SPDX-License-Identifier: Apache-2.0

// Bounds of bodies: enough to find a body that misses the box or is hardly resolved, without
// reading meshes. Requires acyclic combinations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/vec.hpp"

namespace lbm::cases {

// In cells from the corner of the box.
using Bounds = geometry::Box;

// The bodies of a case by name. The case must outlive it.
class BodyIndex {
 public:
  explicit BodyIndex(const Case& lbm_case);

  // Null if no body has this name.
  const Body* find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, const Body*> bodies_;
};

// The bounds of all bodies of a case, each found once, whatever the number of combinations that it
// is a part of. Case and units must outlive it.
class BodyBounds {
 public:
  BodyBounds(const Case& lbm_case, const Units& units) : index_(lbm_case), units_(units) {}

  // An axis-aligned box that contains the transformed body, not always the smallest. Empty for
  // planes (unbounded), meshes (unknown here), and combinations of these.
  std::optional<Bounds> of(const Body& body);

 private:
  // In units of the case.
  std::optional<Bounds> known(const Body& body);
  std::optional<Bounds> combined(const Body& body);

  BodyIndex index_;
  const Units& units_;
  std::map<std::string, std::optional<Bounds>> known_;
};

// Smallest extent of the shape in cells: a diameter, edge or height. Empty for planes, meshes and
// combinations.
std::optional<double> smallest_extent(const Body& body, const Units& units);

// True if no corner of the box lies on the solid side of the plane.
bool plane_misses_box(const Case& lbm_case, const Body& plane, const Units& units);

}  // namespace lbm::cases
