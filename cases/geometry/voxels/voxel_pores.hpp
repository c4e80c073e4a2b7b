// SPDX-License-Identifier: Apache-2.0

// The pores of an image of voxels: which lead from one side to the other, and the image without
// those that do not.
#pragma once

#include "cases/geometry/voxels/voxel_images.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

struct VoxelPaths {
  std::int64_t fluid = 0;  // voxels
  // Fluid voxels in pores that reach both faces of the image along each axis. A pore is a set of
  // fluid voxels with common sides.
  Voxels through{};
};

// Asks for each plane once, and holds two planes (the method of Hoshen & Kopelman, Phys. Rev. B 14
// (1976) 3438). Throws what the image throws, and TimeLimitReached.
VoxelPaths find_paths(const VoxelPlanes& image, const TimeLimit& limit);

struct ConnectedVoxels {
  VoxelPlanesPtr image;
  VoxelPaths before, after;  // of the source, and of the image
};

// The source with all fluid voxels solid whose pore does not reach both faces of the image along
// this axis. The faces of the image end a pore, also where the box is periodic. Packs the source,
// asking for each plane once; follows the pores twice through the packed image, with two planes of
// numbers of pores (4 bytes a voxel). Fluid voxels without a fluid neighbour at lower x, y and z
// cost 13 bytes each: a scan has few of them, random noise with 25 % fluid one in ten voxels.
// Throws UsageError for more than 2^31 of them, ResourceError, TimeLimitReached, and what the
// source throws.
ConnectedVoxels connected(const VoxelPlanes& source, std::size_t axis, const TimeLimit& limit);

}  // namespace lbm::geometry
