// SPDX-License-Identifier: Apache-2.0

// An image of voxels without the pores that do not lead through it.
#pragma once

#include "cases/geometry/voxels/packed_voxels.hpp"
#include "cases/geometry/voxels/voxel_paths.hpp"

namespace lbm::geometry {

struct ConnectedVoxels {
  VoxelPlanesPtr image;
  VoxelPaths before, after;  // of the source, and of the image
};

// The source with all fluid voxels solid whose pore does not reach both faces of the image along
// this axis. The faces of the image end a pore, also where the box is periodic. Packs the source,
// asking for each plane once; follows the pores twice through the packed image, with two planes of
// numbers of pores (4 bytes a voxel). Fluid voxels without a fluid neighbour at lower x, y and z
// cost 5 bytes each: a scan has few of them, random noise with 25 % fluid one in ten voxels. Throws
// UsageError for more than 2^31 of them, ResourceError, TimeLimitReached, and what the source
// throws.
ConnectedVoxels connected(const VoxelPlanes& source, std::size_t axis, const TimeLimit& limit);

}  // namespace lbm::geometry
