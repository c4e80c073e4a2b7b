// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/body_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::Voxels;

// Scanners and headers round.
bool is_equal(double a, double b) { return std::abs(a - b) <= 5e-3 * std::min(a, b); }

io::VoxelEdges edges_of(const Body& body, const io::VoxelFormat& format) {
  if (!body.voxel_size) return format.edges;
  const auto& [x, y, z] = *body.voxel_size;
  return {.lengths = {x, y, z}, .metres = 1};
}

bool is_image(const Body& body) { return body.shape == BodyShape::voxels; }

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

// Voxels along x, y, z after `resample`, of `part` voxels of the file: all their edges are the
// shortest one of the file. Throws UsageError, which names the key, for voxels that are no cubes
// unless `resample` is set.
Voxels cubic_voxels(const Body& body, const io::VoxelFormat& format, const Voxels& part) {
  const io::VoxelEdges edges = edges_of(body, format);
  const double edge = shortest(edges);
  Voxels cells = part;
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

std::string box_text(const Voxels& n) { return fmt::format("{} x {} x {}", n[0], n[1], n[2]); }

std::array<bool, 3> mirrored_axes(const Body& body) {
  std::array<bool, 3> axes{};
  for (const int axis : body.mirror) axes[static_cast<std::size_t>(axis)] = true;
  return axes;
}

Voxels times_of(const Body& body) {
  const auto& [x, y, z] = body.repeat.value_or(std::array{1, 1, 1});
  return {x, y, z};
}

void check_factor(const Body& body, const Voxels& part) {
  const int factor = body.coarsen.value_or(1);
  Voxels rest{};
  for (std::size_t a = 0; a < 3; ++a) rest[a] = part[a] % factor;
  if (rest == Voxels{}) return;
  throw UsageError(fmt::format(
      "coarsen: found {}, must divide {} voxels, those of the image or of the part between "
      "crop_from and crop_to: crop {} voxels more along x, y and z of the file",
      factor, box_text(part), fmt::format("{}, {} and {}", rest[0], rest[1], rest[2])));
}

}  // namespace

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

io::VoxelHints hints_of(const Body& body) {
  io::VoxelHints hints;
  if (body.cells) {
    hints.voxels = {(*body.cells)[0], (*body.cells)[1], (*body.cells)[2]};
  }
  hints.type = body.type;
  if (body.byte_order) hints.big_endian = *body.byte_order == ByteOrder::big;
  if (body.header_bytes) hints.offset = static_cast<std::uint64_t>(*body.header_bytes);
  hints.dataset = body.dataset;
  return hints;
}

geometry::VoxelRange part_of_file(const Body& body, const Voxels& file) {
  geometry::VoxelRange part{{}, file};
  for (std::size_t a = 0; a < 3; ++a) {
    if (body.crop_from) part.first[a] = (*body.crop_from)[a];
    if (body.crop_to) part.last[a] = (*body.crop_to)[a];
    if (part.last[a] > file[a]) {
      throw UsageError(
          fmt::format("crop_to: found {} along {}, the image has {} voxels: must be "
                      "at most {}",
                      part.last[a], "xyz"[a], box_text(file), file[a]));
    }
    if (part.first[a] >= part.last[a]) {
      throw UsageError(fmt::format(
          "crop_from: found {} along {}, must be below {}: the image has "
          "{} voxels",
          part.first[a], "xyz"[a],
          body.crop_to ? fmt::format("crop_to, {}", part.last[a]) : fmt::format("{}", part.last[a]),
          box_text(file)));
    }
  }
  return part;
}

Voxels cells_of_image(const Body& body, const io::VoxelFormat& format) {
  const Voxels part = cubic_voxels(body, format, part_of_file(body, format.voxels).size());
  check_factor(body, part);
  const auto axes = body.axes.value_or(std::array{0, 1, 2});
  const auto mirrored = mirrored_axes(body);
  const Voxels times = times_of(body);
  Voxels cells{};
  for (std::size_t a = 0; a < 3; ++a) {
    cells[a] = part[static_cast<std::size_t>(axes[a])] / body.coarsen.value_or(1) *
               body.refine.value_or(1) * (mirrored[a] ? 2 : 1);
    if (cells[a] > max_cells_per_axis / times[a]) {
      throw UsageError(fmt::format(
          "the image is {} x {} cells long along {}, must be at most {}: crop it, or refine and "
          "repeat it less",
          cells[a], times[a], "xyz"[a], max_cells_per_axis));
    }
    cells[a] *= times[a];
  }
  return cells;
}

std::string changes_text(const Body& body) {
  const auto axes = body.axes.value_or(std::array{0, 1, 2});
  const std::vector<std::pair<const char*, bool>> all{
      {"cropped", body.crop_from || body.crop_to},    {"resampled", body.resample.value_or(false)},
      {"turned", axes != std::array{0, 1, 2}},        {"coarsened", body.coarsen.value_or(1) > 1},
      {"refined", body.refine.value_or(1) > 1},       {"mirrored", !body.mirror.empty()},
      {"repeated", times_of(body) != Voxels{1, 1, 1}}};
  std::vector<std::string> made;
  for (const auto& [name, is_made] : all) {
    if (is_made) made.emplace_back(name);
  }
  std::string text;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const bool last = i + 1 == made.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + made[i];
  }
  return text;
}

// An image is coarsened before it is turned, which makes no difference but for time and memory.
geometry::VoxelPlanesPtr changed_image(const Body& body, const io::VoxelFormat& format,
                                       geometry::VoxelPlanesPtr part, const TimeLimit& limit) {
  (void)cells_of_image(body, format);
  geometry::VoxelPlanesPtr planes = std::move(part);
  const Voxels cubic = cubic_voxels(body, format, planes->size());
  if (cubic != planes->size()) planes = geometry::resampled(planes, cubic);
  if (body.coarsen.value_or(1) > 1) planes = geometry::coarsened(planes, *body.coarsen);
  if (body.axes) planes = geometry::turned(planes, *body.axes, limit);
  if (body.refine.value_or(1) > 1) planes = geometry::refined(planes, *body.refine);
  if (!body.mirror.empty()) planes = geometry::mirrored(planes, mirrored_axes(body));
  if (times_of(body) != Voxels{1, 1, 1}) planes = geometry::repeated(planes, times_of(body));
  return planes;
}

bool has_box_of_image(const Case& lbm_case) {
  return lbm_case.grid.cells == std::array<int, 3>{} && !lbm_case.grid.size &&
         std::count_if(lbm_case.bodies.begin(), lbm_case.bodies.end(), is_image) == 1;
}

void resolve_image_grid(Case& lbm_case) {
  if (!has_box_of_image(lbm_case)) return;
  const Body& body = *std::find_if(lbm_case.bodies.begin(), lbm_case.bodies.end(), is_image);
  const std::string key = "bodies." + body.name;
  if (body.translate && *body.translate != Vec3{}) {
    throw UsageError(where(lbm_case, key + ".translate") +
                     ": conflicts with a box that has the size of the image: give grid.cells, or "
                     "remove it");
  }
  const auto reservoir = body.reservoir.value_or(std::array{0, 0, 0});
  try {
    const io::VoxelFormat format =
        io::find_voxel_format(path_of(lbm_case, body.file), hints_of(body));
    const Voxels image = cells_of_image(body, format);
    for (std::size_t a = 0; a < 3; ++a) {
      const std::int64_t cells = image[a] + 2 * std::int64_t{reservoir[a]};
      if (cells > max_cells_per_axis) {
        throw UsageError(
            fmt::format("the image and its reservoirs need {} cells along {}, must be at most {}",
                        cells, "xyz"[a], max_cells_per_axis));
      }
      lbm_case.grid.cells[a] = static_cast<int>(cells);
    }
  } catch (const UsageError& error) {
    throw UsageError(where(lbm_case, key) + ": " + one_line(error.what(), 2000));
  }
}

}  // namespace lbm::cases
