// Bodies of images of voxels.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/case/case.hpp"
#include "cases/case/units.hpp"
#include "cases/geometry/shape.hpp"
#include "io/text/json.hpp"
#include "io/voxels/voxel_format.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::cases {

// What an image holds.
struct VoxelFacts {
  std::string body, file;  // the file of the labels with its whole path
  std::array<std::int64_t, 3> voxels{};
  io::VoxelType type = io::VoxelType::uint8;
  std::vector<std::int64_t> fluid;              // labels of the pores
  std::map<std::int64_t, std::int64_t> labels;  // voxels of each
  double fluid_share = 0;                       // of all voxels: the porosity of the image
  // Along x, y, z: the share of the fluid in pores that reach both faces of the image.
  Vec3 through_share{};

  // "100 x 100 x 200 voxels of uint8, 38.1 % fluid, of which 98, 97.5 and 99.1 % are in pores that
  // lead through along x, y and z; labels: 0 (38.1 %), 255 (61.9 %)", and what of it looks like a
  // mistake.
  std::string text() const;
};

// One object for each, with the members' names; `labels` as a list of {label, voxels}.
io::Json voxels_json(const std::vector<VoxelFacts>& facts);

// The voxel body in cells; counts its labels. Throws UsageError: the file is wrong, a label of
// body.fluid has no voxel, or all voxels are fluid. Throws TimeLimitReached, but not below 2e9
// voxels of all `facts`. warnings: that no pore leads through.
geometry::ShapePtr make_voxels(const Case& lbm_case, const Units& units, const Body& body,
                               const TimeLimit& limit, std::vector<VoxelFacts>& facts,
                               std::vector<std::string>& warnings);

}  // namespace lbm::cases
