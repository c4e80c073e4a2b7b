// SPDX-License-Identifier: Apache-2.0

// Unusual settings of bodies, judged by their bounds.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/bodies/body_checks.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/model/boundary_conditions.hpp"
#include "cases/case/validate/validate_parts.hpp"

namespace lbm::cases::validation {
namespace {

// Rules of thumb, in cells: resolution of a shape, and of the flow between a body and a face.
constexpr double few_cells = few_cells_of_shape;
constexpr double narrow_gap = 4;

class BodyWarnings {
 public:
  BodyWarnings(const Case& lbm_case, const Derived& derived, const Units& units)
      : case_(lbm_case), tau_(derived.tau), units_(units), bounds_(lbm_case, units) {}

  std::vector<std::string> all() {
    for (const Body& body : case_.bodies) {
      for (const std::string& part : body.of) used_.insert(part);
    }
    for (const Body& body : case_.bodies) {
      use(body);
      size(body);
      if (body.solid) {
        gaps(body);
        span(body);
        mass(body);
        multireflection(body);
      }
    }
    return std::move(lines_);
  }

 private:
  void add(const Body& body, const std::string& key, const std::string& what) {
    lines_.push_back(where(case_, "bodies." + body.name + key) + ": " + what);
  }

  void use(const Body& body) {
    if (body.solid && used_.contains(body.name)) {
      add(body, ".solid", "a part of another body, and solid itself, too: should it be false?");
    }
    if (!body.solid && !used_.contains(body.name)) {
      add(body, ".solid", "not solid, and no part of another body either: it has no effect");
    }
  }

  // The smallest extent, but for axes along which the body goes through the whole box.
  std::optional<double> extent_inside(Body body) {
    const auto bounds = bounds_.of(body);
    constexpr double endless = std::numeric_limits<double>::max() / 4;
    for (std::size_t axis = 0; axis < 3 && bounds && body.rotate.empty(); ++axis) {
      const bool through =
          bounds->low[axis] <= touching && bounds->high[axis] >= case_.grid.cells[axis] - touching;
      if (!through) continue;
      if (body.size) (*body.size)[axis] = endless;
      if (body.to && (*body.to)[axis] != (*body.from)[axis]) (*body.to)[axis] = endless;
    }
    if (body.shape == BodyShape::polygon && bounds) {
      // Also where it is turned about its axis.
      const auto axis = static_cast<std::size_t>(extrusion_axis(body));
      if (bounds->low[axis] <= touching && bounds->high[axis] >= case_.grid.cells[axis] - touching)
        body.span.reset();
    }
    const auto extent = smallest_extent(body, units_);
    return extent < endless ? extent : std::nullopt;
  }

  void size(const Body& body) {
    const auto extent = extent_inside(body);
    if (!extent || *extent >= few_cells * (1 - 1e-9)) return;
    // With a margin for rounding: a plate along an axis is tight from one cell on.
    const auto tight = tight_thickness(body);
    const bool leaks = tight && *extent < *tight - 1e-6;
    add(body, "",
        fmt::format(
            "its smallest extent is {:.3g} cells, below {}: its shape is not resolved{}", *extent,
            few_cells,
            leaks   ? fmt::format(", and fluid may pass through it: make it {:.3g} cells thick, "
                                    "or more",
                                  std::ceil(100 * *tight) / 100)
            : tight ? ", but no fluid passes through it"
                    : ""));
  }

  // A body that crosses a face has no gap there. Walls begin at an inlet, round bodies do not.
  void gaps(const Body& body) {
    const auto bounds = bounds_.of(body);
    if (!bounds) return;
    for (std::size_t face = 0; face < case_.faces.size(); ++face) {
      const std::size_t axis = face / 2;
      const double gap =
          face % 2 == 0 ? bounds->low[axis] : case_.grid.cells[axis] - bounds->high[axis];
      const BoundaryKind type = case_.faces[face].type;
      const bool open = type == BoundaryKind::velocity || fixes_pressure(type);
      const ClosedForm* const form = closed_form(body);
      const bool meets = gap <= touching && !(open && form != nullptr && form->is_round);
      if (type == BoundaryKind::periodic || gap >= narrow_gap || meets) continue;
      add(body, "",
          fmt::format("{:.3g} cells from {}, fewer than {}: {}", std::max(gap, 0.0), face_key(face),
                      narrow_gap,
                      open ? "the condition there is disturbed" : "the gap is not resolved"));
    }
  }

  // Coefficients of a profile: a body that goes through the whole box along a periodic axis, and is
  // no part of a channel's walls.
  void span(const Body& body) {
    const auto bounds = bounds_.of(body);
    if (body.reference_area || !bounds) return;
    std::optional<std::size_t> through;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool first = bounds->low[axis] <= touching;
      const bool last = bounds->high[axis] >= case_.grid.cells[axis] - touching;
      const bool periodic = case_.faces[2 * axis].type == BoundaryKind::periodic;
      if (!periodic && (first || last)) return;
      if (first && last) through = axis;
    }
    const bool stream = std::any_of(case_.faces.begin(), case_.faces.end(), [](const Face& face) {
      return face.type == BoundaryKind::velocity || face.type == BoundaryKind::pressure ||
             face.type == BoundaryKind::far_field;
    });
    if (!through || !stream) return;
    add(body, ".reference_area",
        fmt::format("it is not given, so coefficients are over the square of the reference length, "
                    "but the body goes through the box along {}: give {} x span",
                    "xyz"[*through], body.shape == BodyShape::polygon ? "chord" : "diameter"));
  }

  void mass(const Body& body) {
    if (is_open(case_) || !body.walls || *body.walls == BodyWalls::conserving ||
        *body.walls == BodyWalls::staircase) {
      return;
    }
    add(body, ".walls",
        fmt::format(
            "no face fixes the pressure, and walls: {} lets mass in or out bit by bit: take "
            "walls: conserving if the run is long",
            enum_names(BodyWalls{})[static_cast<std::size_t>(*body.walls)]));
  }

  // docs/method.md, multireflection: what it says about the models.
  void multireflection(const Body& body) {
    if (body.walls != BodyWalls::multireflection) return;
    if (tau_ < low_tau && !is_regularised(case_.lattice.collision)) {
      add(body, ".walls",
          fmt::format(
              "multireflection may be unstable with this lattice.collision at tau = {:.4g}, "
              "below {}: take lattice.collision: regularised, or walls: interpolated",
              tau_, low_tau));
    }
  }

  static constexpr double touching = 1e-6;
  static constexpr double low_tau = 0.55;
  const Case& case_;
  const double tau_;
  const Units& units_;
  BodyBounds bounds_;
  std::set<std::string> used_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> body_warnings(const Case& lbm_case, const Derived& derived,
                                       const Units& units) {
  return BodyWarnings(lbm_case, derived, units).all();
}

}  // namespace lbm::cases::validation
