// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/voxel_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cases/case/limits.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

// Scanners and headers round.
bool is_equal(double a, double b) { return std::abs(a - b) <= 5e-3 * std::min(a, b); }

io::VoxelEdges edges_of(const Body& body, const io::VoxelFormat& format) {
  if (!body.voxel_size) return format.edges;
  const auto& [x, y, z] = *body.voxel_size;
  return {.lengths = {x, y, z}, .metres = 1};
}

// The file with the header, which may name another one for the labels.
std::string name_of(const Body& body, const io::VoxelFormat& format) {
  return body.file.empty() ? format.file.string() : body.file;
}

// 0: no edge is told.
double shortest(const io::VoxelEdges& edges) {
  double least = 0;
  for (const double edge : edges.lengths) {
    if (edge > 0 && (least == 0 || edge < least)) least = edge;
  }
  return least;
}

}  // namespace

geometry::Voxels cubic_voxels(const Body& body, const io::VoxelFormat& format,
                              const geometry::Voxels& part) {
  const io::VoxelEdges edges = edges_of(body, format);
  const double edge = shortest(edges);
  geometry::Voxels cells = part;
  for (std::size_t a = 0; a < 3; ++a) {
    if (edges.lengths[a] == 0 || is_equal(edges.lengths[a], edge)) continue;
    if (!body.resample.value_or(false)) {
      throw UsageError(
          fmt::format("{}: voxels of {} are no cubes, and a cell is one: set resample: true to "
                      "make cubes with the shortest edge, or voxel_size: [x, y, z] if {}",
                      name_of(body, format), voxel_size_text(body, format),
                      body.voxel_size ? "it is wrong" : "the header of the file is wrong"));
    }
    const double count = std::round(static_cast<double>(part[a]) * edges.lengths[a] / edge);
    if (!(count <= max_cells_per_axis)) {
      throw UsageError(
          fmt::format("resample: the image becomes {:.3g} cells long along {}, must be "
                      "at most {}: look at the size of its voxels, {}",
                      count, "xyz"[a], max_cells_per_axis, voxel_size_text(body, format)));
    }
    cells[a] = static_cast<std::int64_t>(count);
  }
  return cells;
}

void check_spacing(const Body& body, const io::VoxelFormat& format, double spacing) {
  const io::VoxelEdges edges = edges_of(body, format);
  const double edge = shortest(edges);
  if (edge == 0 || (edges.metres == 0 && edge == 1)) return;
  const double wanted = spacing * body.refine.value_or(1) / body.coarsen.value_or(1);
  const auto fits = [&](double metres) { return is_equal(edge * metres, wanted); };
  constexpr std::array usual{1.0, 1e-3, 1e-6, 1e-9};
  if (edges.metres > 0 ? fits(edges.metres) : std::any_of(usual.begin(), usual.end(), fits)) return;
  const double metres = edges.metres > 0 ? edges.metres : 1e-3;
  throw UsageError(
      fmt::format("{}: voxels of {}{} make cells of {:.6g} m, the case has grid.spacing: {:.6g}: "
                  "correct it, or set voxel_size: [x, y, z] if {}",
                  name_of(body, format), voxel_size_text(body, format),
                  edges.metres > 0 ? "" : " (no unit, taken as mm)",
                  edge * metres * body.coarsen.value_or(1) / body.refine.value_or(1), spacing,
                  body.voxel_size ? "that is wrong" : "the header of the file is wrong"));
}

std::string voxel_size_text(const Body& body, const io::VoxelFormat& format) {
  return io::text_of(edges_of(body, format));
}

}  // namespace lbm::cases
