// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/bodies/body_checks.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/place_formulas.hpp"
#include "cases/case/model/stored_cells.hpp"
#include "cases/case/scalars.hpp"
#include "cases/geometry/combined.hpp"
#include "solver/boundary/conditions/multireflection.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::ShapePtr;

// A query asks every part of a body.
constexpr std::size_t most_parts = 200'000;

class ShapeMaker {
 public:
  ShapeMaker(const Case& lbm_case, const Units& units, const TimeLimit& limit)
      : surfaces(lbm_case, units, limit),
        case_(lbm_case),
        units_(units),
        limit_(limit),
        bodies_(lbm_case) {}

  // The validator has refused circular combinations and unknown parts.
  ShapePtr make(const Body& body) {
    const auto known = made_.find(body.name);
    if (known != made_.end()) return known->second;
    limit_.check();
    ShapePtr shape = made(body);
    made_[body.name] = shape;
    return shape;
  }

  BodySurfaces surfaces;
  std::vector<VoxelFacts> voxels;

 private:
  ShapePtr made(const Body& body) {
    if (body.shape == BodyShape::voxels)
      return make_voxels(case_, units_, body, limit_, voxels, surfaces.warnings);
    if (is_surface(*body.shape)) return surfaces.make(body, place_of(body));
    const ClosedForm* const form = closed_form(body);
    const ShapePtr shape = form ? form->make(body) : combination(body);
    const geometry::Affine place = place_of(body);
    return place == geometry::Affine() ? shape : geometry::transformed(shape, place);
  }

  // Parts are already in cells. They are converted back to units of the case, because the transform
  // of the combination includes the scaling to cells.
  ShapePtr combination(const Body& body) {
    std::vector<ShapePtr> parts;
    for (const std::string& name : body.of) {
      parts.push_back(make(*bodies_.find(name)));
      count(parts.back());
    }
    const ShapePtr all =
        *body.shape == BodyShape::union_of ? geometry::make_union(parts)
        : *body.shape == BodyShape::intersection
            ? geometry::make_intersection(parts)
            : geometry::make_difference(parts.front(), {parts.begin() + 1, parts.end()});
    const double l = units_.length;
    return l == 1 ? all : geometry::transformed(all, geometry::scaling({l, l, l}));
  }

  // Copies of copies, each moved elsewhere, grow without bound.
  void count(const ShapePtr& part) {
    parts_ += geometry::part_count(part);
    if (parts_ <= most_parts) return;
    throw UsageError(
        fmt::format("the combinations of the case have more than {} parts in all, "
                    "those of their parts included: make one file of triangles of them",
                    most_parts));
  }

  // From the coordinates of the shape to cells.
  geometry::Affine place_of(const Body& body) const {
    geometry::Affine all = transform_of(body);
    const double l = 1 / units_.length;
    if (l != 1) all = geometry::scaling({l, l, l}) * all;
    return all;
  }

  const Case& case_;
  const Units& units_;
  const TimeLimit& limit_;
  BodyIndex bodies_;
  std::map<std::string, ShapePtr> made_;
  std::size_t parts_ = 0;
};

// Rotates about the centre of the shape by default; a plane has none. An endless polygon has that
// of the box along its axis.
BodySpec spec_of(const Case& lbm_case, const Body& body, const ShapePtr& shape, const Units& units,
                 double tau, bool open) {
  BodySpec spec;
  const BodyWalls exact = open ? BodyWalls::interpolated : BodyWalls::conserving;
  const bool voxels = body.shape == BodyShape::voxels;  // halfway is exact
  const BodyWalls walls = body.walls.value_or(voxels ? BodyWalls::staircase : exact);
  spec.interpolated = walls != BodyWalls::staircase;
  spec.motion.conserves_mass = walls == BodyWalls::conserving;
  if (walls == BodyWalls::multireflection) {
    spec.motion.multireflection = multireflection_share(tau);
  }
  const Vec3 u = to_lattice_velocity(units, body.velocity.value_or(Vec3{}));
  const Vec3 w = to_lattice_angular_velocity(units, body.angular_velocity.value_or(Vec3{}));
  Vec3 center{};
  const auto bounds = shape->bounds();
  spec.bounds = {bounds.low, bounds.high};
  if (body.center_of_rotation) {
    center = to_cells(units, *body.center_of_rotation);
  } else {
    for (std::size_t a = 0; a < 3; ++a) {
      const double middle = (bounds.low[a] + bounds.high[a]) / 2;
      const double none = body.shape == BodyShape::polygon ? 0.5 * lbm_case.grid.cells[a] : 0;
      center[a] = std::isfinite(middle) ? middle : none;
    }
  }
  for (std::size_t a = 0; a < 3; ++a) {
    spec.motion.velocity[a] = u[a];
    spec.motion.angular_velocity[a] = w[a];
    spec.motion.center[a] = center[a];
  }
  return spec;
}

// Images of voxels that rest, as their links are many and the same everywhere.
void leave_out_of_lists(const Case& lbm_case, CaseShapes& shapes) {
  std::vector<std::string> listed;
  for (std::size_t i = 0; i < shapes.specs.size(); ++i) {
    BodySpec& spec = shapes.specs[i];
    const Body& body = *BodyIndex(lbm_case).find(shapes.names[i]);
    spec.listed = body.shape != BodyShape::voxels || spec.interpolated || body.velocity ||
                  body.angular_velocity || is_asked_for(lbm_case, body);
    if (spec.listed) listed.push_back(shapes.names[i]);
  }
  shapes.listed = std::move(listed);
}

}  // namespace

CaseShapes make_shapes(const Case& lbm_case, const Derived& derived, const TimeLimit& limit) {
  CaseShapes result;
  const Units units = make_units(lbm_case, derived);
  ShapeMaker maker(lbm_case, units, limit);
  std::vector<geometry::Body> bodies;
  const bool open = is_open(lbm_case);
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid) continue;
    try {
      const ShapePtr shape = maker.make(body);
      check_bounds(lbm_case, body, shape->bounds(), maker.surfaces.warnings);
      check_parts(lbm_case, body, *shape, limit, maker.surfaces.warnings);
      bodies.push_back({body.name, shape});
      result.names.push_back(body.name);
      result.listed.push_back(body.name);
      result.specs.push_back(spec_of(lbm_case, body, shape, units, derived.tau, open));
      result.specs.back().factor = body_factor(lbm_case, derived, body);
    } catch (const UsageError& error) {
      throw UsageError(where(lbm_case, "bodies." + body.name) + ": " +
                       one_line(error.what(), 2000));
    }
  }
  result.warnings = std::move(maker.surfaces.warnings);
  result.surfaces = std::move(maker.surfaces.facts);
  result.voxels = std::move(maker.voxels);
  if (bodies.empty()) return result;
  check_thickness(lbm_case, bodies, limit, result.warnings);
  result.stored = stored_cells(lbm_case, result.voxels);
  if (result.stored == CellsStored::fluid) leave_out_of_lists(lbm_case, result);
  result.set = std::make_unique<geometry::BodySet>(lbm_case.grid.cells, periodic_axes(lbm_case),
                                                   std::move(bodies), limit);
  return result;
}

Boundaries make_case_boundaries(const Case& lbm_case, const Derived& derived, CaseShapes& shapes,
                                const TimeLimit& limit) {
  const auto& [nx, ny, nz] = lbm_case.grid.cells;
  const FaceBoundaries faces = full_faces(lbm_case, derived, limit);
  const auto force = force_field(lbm_case, derived, limit);
  Boundaries boundaries(nx, ny, nz, faces, shapes.set.get(), shapes.specs, shapes.stored,
                        force ? &*force : nullptr);
  limit.check();
  if (shapes.set == nullptr) return boundaries;
  const std::int64_t cells = std::int64_t{nx} * ny * nz;
  if (boundaries.solid_cells() == cells) {
    throw UsageError(
        where(lbm_case, "bodies." + shapes.names.front()) +
        ": missing: fluid cells; bodies fill the whole box: make them smaller, or check "
        "their units and scale");
  }
  if (boundaries.solid_cells() == 0) {
    shapes.warnings.push_back(where(lbm_case, "bodies." + shapes.names.front()) +
                              ": no cell's centre lies inside a body, the run has none: use more "
                              "cells or larger bodies, or check their units and scale");
  }
  if (boundaries.solid_cells() > 0) {
    for (const std::string& name : shapes.set->without_cells()) {
      shapes.warnings.push_back(
          where(lbm_case, "bodies." + name) +
          ": it has no cell, since no cell's centre lies inside it, or only those of bodies before "
          "it: use more cells or a larger body, or check its units and scale");
    }
  }
  if (shapes.set->missed() > 0) {
    shapes.warnings.push_back(
        fmt::format("{}: {} of {} links have no surface, it is assumed in the middle of the link",
                    where(lbm_case, "bodies." + shapes.names.front()), shapes.set->missed(),
                    boundaries.blocked_links()));
  }
  return boundaries;
}

}  // namespace lbm::cases
