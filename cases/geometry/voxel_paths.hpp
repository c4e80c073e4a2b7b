// Which pores of an image of voxels lead from one side to the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "io/voxels/voxel_image.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

struct VoxelPaths {
  std::int64_t fluid = 0;  // voxels
  // Fluid voxels in pores that reach both faces of the image along each axis. A pore is a set of
  // fluid voxels with common sides.
  std::array<std::int64_t, 3> through{};
};

// fluid: labels of the voxels that are not solid. Reads the image once, and holds two planes of it
// (the method of Hoshen & Kopelman, Phys. Rev. B 14 (1976) 3438). Throws UsageError if the file
// cannot be read, and TimeLimitReached.
VoxelPaths find_paths(const io::VoxelImage& image, const std::vector<std::int64_t>& fluid,
                      const TimeLimit& limit);

}  // namespace lbm::geometry
