// SPDX-License-Identifier: Apache-2.0

// Bodies of images of voxels.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/shape.hpp"
#include "io/text/json.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// Facts about the image of a body. Labels are counted in the file, or in its part between crop_from
// and crop_to. Shares are those of the image as it lies in the box, after all changes.
struct VoxelFacts {
  std::string body, file;                // the file of the labels with its whole path
  std::array<std::int64_t, 3> voxels{};  // of the file
  io::VoxelType type = io::VoxelType::uint8;
  std::string voxel_size{};                     // "0.002 x 0.002 x 0.002 mm"; empty: not told
  std::vector<std::int64_t> fluid;              // labels of the pores
  std::map<std::int64_t, std::int64_t> labels;  // voxels of each
  std::string changes;                          // "cropped and turned"; empty: none
  std::array<std::int64_t, 3> cells{};          // of the image in the box, along x, y, z
  double fluid_share = 0;                       // of all its cells: the porosity
  // Along x, y, z: the share of the fluid in pores that reach both faces of the image.
  Vec3 through_share{};
  std::optional<int> connected;  // axis: all pores that do not lead through along it are solid
  double closed_share = 0;       // share of these pores in the fluid there would be without it

  // "100 x 100 x 200 voxels of uint8, 38.1 % fluid, of which 98, 97.5 and 99.1 % are in pores that
  // lead through along x, y and z; labels: 0 (38.1 %), 255 (61.9 %)", and what of it looks like a
  // mistake; with changes "100 x 100 x 200 voxels of uint8; labels of the part: ...; cropped and
  // mirrored to 50 x 50 x 200 cells, 38.1 % fluid, of which ...; connected: z made 1.2 % of the
  // fluid solid".
  std::string text() const;
};

// One object for each, with the members' names; `labels` as a list of {label, voxels}.
io::Json voxels_json(const std::vector<VoxelFacts>& facts);

// The cells and shares of fluid of all images by their labels alone, which takes a fraction of the
// time. A body with `connected`, or an image that is wrong or beyond 2e9 voxels: all solid, the
// least that it may need.
std::vector<VoxelFacts> facts_of_labels(const Case& lbm_case);

// The voxel body in cells; counts its labels. Throws UsageError: the file is wrong, the changes do
// not suit it, a label of body.fluid has no voxel, or all cells are fluid or solid. Throws
// TimeLimitReached, but not below 2e9 voxels. warnings: no way through, a part outside the box.
geometry::ShapePtr make_voxels(const Case& lbm_case, const Units& units, const Body& body,
                               const TimeLimit& limit, std::vector<VoxelFacts>& facts,
                               std::vector<std::string>& warnings);

}  // namespace lbm::cases
