// SPDX-License-Identifier: Apache-2.0
#include "cases/case/bodies/image_grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/case/bodies/body_voxels.hpp"
#include "cases/case/bodies/voxel_changes.hpp"
#include "cases/case/case_location.hpp"
#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "io/voxels/voxel_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

bool is_image(const Body& body) { return body.shape == BodyShape::voxels; }

}  // namespace

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
    const geometry::Voxels image = cells_of_image(body, format);
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
