// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/voxel_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cases/case/bodies/voxel_size.hpp"
#include "cases/case/limits.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

using geometry::Voxels;

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
geometry::VoxelPlanesPtr changed_image(const Body& body,
                                       std::shared_ptr<const io::VoxelImage> image,
                                       const TimeLimit& limit) {
  (void)cells_of_image(body, image->format());
  const geometry::VoxelRange part = part_of_file(body, image->format().voxels);
  const Voxels cubic = cubic_voxels(body, image->format(), part.size());
  geometry::VoxelPlanesPtr planes =
      std::make_shared<geometry::LabelledVoxels>(std::move(image), body.fluid, part);
  if (cubic != part.size()) planes = geometry::resampled(planes, cubic);
  if (body.coarsen.value_or(1) > 1) planes = geometry::coarsened(planes, *body.coarsen);
  if (body.axes) planes = geometry::turned(planes, *body.axes, limit);
  if (body.refine.value_or(1) > 1) planes = geometry::refined(planes, *body.refine);
  if (!body.mirror.empty()) planes = geometry::mirrored(planes, mirrored_axes(body));
  if (times_of(body) != Voxels{1, 1, 1}) planes = geometry::repeated(planes, times_of(body));
  return planes;
}

}  // namespace lbm::cases
