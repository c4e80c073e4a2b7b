// SPDX-License-Identifier: Apache-2.0
#include "cases/case/model/case_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/model/case_formulas.hpp"
#include "cases/case/model/moving_bodies.hpp"
#include "cases/case/model/porous_zones.hpp"
#include "cases/case/scalars.hpp"
#include "cases/geometry/local_thickness.hpp"
#include "cases/geometry/mesh_shape.hpp"
#include "cases/geometry/shape.hpp"
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
    if (body.shape != BodyShape::voxels) limit_.check();  // make_voxels() has a limit of its own
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

void add_motion(const Case& lbm_case, const Derived& derived, const Body& body,
                const geometry::Shape& shape, const TimeLimit& limit, BodySpec& spec) {
  const geometry::Vec center{spec.motion.center[0], spec.motion.center[1], spec.motion.center[2]};
  spec.moving = make_moving_body(
      lbm_case, derived, body, center,
      sample_solid_fraction(shape, lbm_case.grid.cells, periodic_axes(lbm_case), limit));
}

// A body that moves, or that the fluid passes, has no solid cells.
class NoShape final : public geometry::Shape {
 public:
  int side(const geometry::Vec&) const override { return -1; }
  void crossings(const geometry::Segment&, std::vector<double>&) const override {}
  geometry::Box bounds() const override { return {}; }
};

bool conducts_a_scalar(const Case& lbm_case, const Body& body) {
  return std::any_of(lbm_case.scalars.begin(), lbm_case.scalars.end(), [&](const ScalarKeys& s) {
    return std::count(s.conductors.begin(), s.conductors.end(), body.name) > 0;
  });
}

// A flux or convection at its surface.
bool gives_a_scalar(const Case& lbm_case, const Body& body) {
  return std::any_of(lbm_case.scalars.begin(), lbm_case.scalars.end(), [&](const ScalarKeys& s) {
    for (std::size_t b = 0; b < s.bodies.size(); ++b) {
      if (s.bodies[b] == body.name && s.type_of_body(b) != ScalarBoundary::value) return true;
    }
    return false;
  });
}

// Images of voxels that rest, as their links are many and the same everywhere. Not where a body
// holds a scalar: number_of_body() counts all bodies.
void leave_out_of_lists(const Case& lbm_case, CaseShapes& shapes) {
  const auto& scalars = lbm_case.scalars;
  if (std::any_of(scalars.begin(), scalars.end(), [](const auto& s) { return !s.bodies.empty(); }))
    return;
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

using geometry::operator-;  // NOLINT(misc-unused-using-decls)

constexpr double least_extent = 0.1;  // of the longest axis, in cells
// Rods and plates may be endless; a surface of a file, and what is that much longer than the box
// along all axes, is in a wrong unit. Images are listed, and asked in each plane.
constexpr double much_longer = 10, most_images = 1000, most_images_of_plates = 1e7;

// Lines through all bodies along each axis; fewer than a handful say nothing of a body.
constexpr double all_lines = 700;
constexpr int least_lines = 4, most_lines = 24;
// In cells. Less than that of the extents of primitives: bodies are thinner towards their edges.
constexpr double least_median = 4;
// Every sharp edge is thin; more than this share is a part of its own.
constexpr double much = 0.05;

bool is_measured(const Body& body) {
  return !body.of.empty() || (is_surface(*body.shape) && body.open != geometry::OpenSurface::shell);
}

std::string text_of(const geometry::ThicknessSummary& found) {
  const std::string half =
      fmt::format("half of its surface is less than {:.2g} cells thick", found.median);
  if (found.below_one < much) {
    return fmt::format("{}, below {}: its shape is not resolved", half, least_median);
  }
  const std::string thin = fmt::format(
      "{:.0f} % of its surface is less than 1 cell thick: its shape is not resolved "
      "there, and fluid may pass through it",
      100 * found.below_one);
  return found.median < least_median ? half + ", and " + thin : thin;
}

// bounds: of the body in place, in cells; periodic images do not count. Throws UsageError, without
// the name of the body, if it is outside the box, far smaller than a cell, or so large that a
// periodic box needs too many images. Appends a warning if it is longer than a periodic
// box along all axes.
void check_bounds(const Case& lbm_case, const Body& body, const geometry::Box& bounds,
                  std::vector<std::string>& warnings) {
  const auto& n = lbm_case.grid.cells;
  const auto periodic = periodic_axes(lbm_case);
  const geometry::Vec size = bounds.high - bounds.low;
  const auto refuse = [&](const std::string& must) {
    throw UsageError(
        fmt::format("found {:.6g} x {:.6g} x {:.6g} cells from [{:.6g}, {:.6g}, {:.6g}] on, {}: "
                    "check its units, "
                    "scale and place",
                    size[0], size[1], size[2], bounds.low[0], bounds.low[1], bounds.low[2], must));
  };
  const std::string box = fmt::format("the box of {} x {} x {} cells", n[0], n[1], n[2]);
  double images = 1;
  bool overlaps = true, is_long = true;
  for (std::size_t a = 0; a < 3; ++a) {
    // A body that touches a face only may have its cells at the other side.
    if (!(bounds.high[a] >= -0.5 && bounds.low[a] <= n[a] + 0.5)) refuse("must touch " + box);
    is_long = is_long && size[a] > much_longer * n[a];
    overlaps = overlaps && periodic[a] && std::isfinite(size[a]) && size[a] > n[a];
    if (periodic[a] && std::isfinite(size[a])) images *= size[a] / n[a] + 1;
  }
  if (*std::max_element(size.begin(), size.end()) < least_extent) {
    refuse(fmt::format("must be {} cells or more along an axis", least_extent));
  }
  const double most = is_long || is_surface(*body.shape) ? most_images : most_images_of_plates;
  if (images > most) {
    refuse(fmt::format("must repeat at most {} times in {}, whose faces are periodic", most, box));
  }
  if (overlaps) {
    warnings.push_back(fmt::format(
        "{}: it is longer than {} along all axes, which are periodic, and overlaps with itself: "
        "check its units and scale",
        where(lbm_case, "bodies." + body.name), box));
  }
}

// Warns of closed parts of a surface that have no cell, where others have some. Throws
// TimeLimitReached.
void check_parts(const Case& lbm_case, const Body& body, const geometry::Shape& shape,
                 const TimeLimit& limit, std::vector<std::string>& warnings) {
  const auto* surface = dynamic_cast<const geometry::MeshShape*>(&shape);
  if (surface == nullptr) return;
  const auto& n = lbm_case.grid.cells;
  const geometry::PartCount count =
      geometry::count_empty_parts(*surface, n, periodic_axes(lbm_case), limit);
  if (count.empty == 0) return;
  warnings.push_back(fmt::format(
      "{}: {} of the {} closed parts of its surface have no cell: they lie outside the box, or "
      "between the centres of cells: use more cells, or check the file",
      where(lbm_case, "bodies." + body.name + ".file"), count.empty, count.all));
}

// Warns of surfaces from files and combinations of which much is thin; other shapes have keys for
// their extents. Shells are as thick as the user says. bodies: in cells. Samples a fixed number of
// lines in all. Throws TimeLimitReached.
void check_thickness(const Case& lbm_case, const std::vector<geometry::Body>& bodies,
                     const TimeLimit& limit, std::vector<std::string>& warnings) {
  const BodyIndex index(lbm_case);
  std::vector<const geometry::Body*> measured;
  for (const geometry::Body& body : bodies) {
    if (is_measured(*index.find(body.name))) measured.push_back(&body);
  }
  if (measured.empty()) return;
  const int lines = std::min(
      most_lines, static_cast<int>(std::sqrt(all_lines / static_cast<double>(measured.size()))));
  if (lines < least_lines) return;
  for (const geometry::Body* body : measured) {
    limit.check();
    const geometry::LocalThickness thickness(*body->shape, geometry::SurfaceKind::smooth,
                                             lbm_case.grid.cells, few_cells_of_shape);
    const auto found =
        geometry::thickness_summary(thickness, body->shape->bounds(), lbm_case.grid.cells, lines);
    const bool is_thin = found.median < least_median || found.below_one >= much;
    if (found.samples == 0 || !is_thin) continue;
    warnings.push_back(fmt::format("{}: {}; lbm check --preview FILE.png shows where",
                                   where(lbm_case, "bodies." + body->name), text_of(found)));
  }
}

}  // namespace

CaseShapes make_shapes(const Case& lbm_case, const Derived& derived, const TimeLimit& limit) {
  CaseShapes result;
  const Units units = make_units(lbm_case, derived);
  ShapeMaker maker(lbm_case, units, limit);
  std::vector<geometry::Body> bodies;
  std::vector<PlacedBody> placed;
  const bool open = is_open(lbm_case);
  for (const Body& body : lbm_case.bodies) {
    if (!body.solid) continue;
    try {
      const ShapePtr shape = maker.make(body);
      check_bounds(lbm_case, body, shape->bounds(), maker.surfaces.warnings);
      check_parts(lbm_case, body, *shape, limit, maker.surfaces.warnings);
      const bool has_cells = !body.moves() && !body.resists();
      bodies.push_back({body.name, has_cells ? shape : std::make_shared<NoShape>()});
      result.names.push_back(body.name);
      result.listed.push_back(body.name);
      result.specs.push_back(spec_of(lbm_case, body, shape, units, derived.tau, open));
      result.specs.back().factor = body_factor(lbm_case, derived, body);
      if (body.moves()) add_motion(lbm_case, derived, body, *shape, limit, result.specs.back());
      if (body.resists()) {
        result.specs.back().zone = make_zone(lbm_case, derived, body, *shape, limit);
      }
      placed.push_back({body.name, shape, result.specs.back().moving});
      result.specs.back().conducts = conducts_a_scalar(lbm_case, body);
      result.specs.back().slanted = gives_a_scalar(lbm_case, body);
    } catch (const UsageError& error) {
      throw UsageError(where(lbm_case, "bodies." + body.name) + ": " +
                       one_line(error.what(), 2000));
    }
  }
  check_meetings(lbm_case, derived, placed);
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
                        force ? &*force : nullptr, velocity_set(lbm_case.lattice));
  limit.check();
  if (shapes.set == nullptr) return boundaries;
  const std::int64_t cells = std::int64_t{nx} * ny * nz;
  if (boundaries.solid_cells() == cells) {
    throw UsageError(
        where(lbm_case, "bodies." + shapes.names.front()) +
        ": missing: fluid cells; bodies fill the whole box: make them smaller, or check "
        "their units and scale");
  }
  if (boundaries.solid_cells() == 0 && boundaries.moving().empty() && !has_zones(lbm_case)) {
    shapes.warnings.push_back(where(lbm_case, "bodies." + shapes.names.front()) +
                              ": no cell's centre lies inside a body, the run has none: use more "
                              "cells or larger bodies, or check their units and scale");
  }
  if (boundaries.solid_cells() > 0) {
    for (const std::string& name : shapes.set->without_cells()) {
      const Body& body = *BodyIndex(lbm_case).find(name);
      if (body.moves() || body.resists()) continue;
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
