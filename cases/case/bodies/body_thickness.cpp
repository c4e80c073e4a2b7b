// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_thickness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/bodies/body_bounds.hpp"
#include "cases/case/case_location.hpp"
#include "cases/geometry/local_thickness.hpp"

namespace lbm::cases {
namespace {

// Lines through all bodies along each axis; fewer than a handful say nothing of a body.
constexpr double all_lines = 700;
constexpr int least_lines = 4, most_lines = 24;
// In cells. Less than that of the extents of primitives: bodies are thinner towards their edges.
constexpr double least_median = 4;
// Every sharp edge is thin; more than this share is a part of its own.
constexpr double much = 0.05;

bool is_measured(const Body& body) {
  switch (*body.shape) {
    case BodyShape::surface:
    case BodyShape::stl:
      return body.open != geometry::OpenSurface::shell;
    case BodyShape::union_of:
    case BodyShape::intersection:
    case BodyShape::difference:
      return true;
    default:
      return false;
  }
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

}  // namespace

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

}  // namespace lbm::cases
