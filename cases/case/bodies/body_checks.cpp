// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case/bodies/body_shapes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/geometry/local_thickness.hpp"
#include "cases/geometry/surface/mesh_measures.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::operator-;

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

}  // namespace

std::array<bool, 3> periodic_axes(const Case& lbm_case) {
  std::array<bool, 3> periodic{};
  for (std::size_t a = 0; a < 3; ++a) {
    periodic[a] = lbm_case.faces[2 * a].type == BoundaryKind::periodic;
  }
  return periodic;
}

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
