// SPDX-License-Identifier: Apache-2.0

// Images of voxels made of other images, plane by plane: nothing is held but the other image.
#pragma once

#include "cases/geometry/voxels/voxel_planes.hpp"

namespace lbm::geometry {

// Each voxel becomes factor^3 voxels. factor >= 1.
VoxelPlanesPtr refined(VoxelPlanesPtr source, std::int64_t factor);

// As many voxels along each axis, each that of the source at its centre. size: each at least 1.
VoxelPlanesPtr resampled(VoxelPlanesPtr source, const Voxels& size);

// factor^3 voxels become one: solid where at least half of them are solid. So a tie is solid, and
// pores become no wider than they are. factor >= 1 must divide each size of the source.
VoxelPlanesPtr coarsened(VoxelPlanesPtr source, std::int64_t factor);

// The image followed by its mirror image along each of these axes: twice as long there. The first
// and the last plane are the same then, and both planes in the middle.
VoxelPlanesPtr mirrored(VoxelPlanesPtr source, const std::array<bool, 3>& axes);

// The image so many times along x, y and z; each at least once.
VoxelPlanesPtr repeated(VoxelPlanesPtr source, const Voxels& times);

}  // namespace lbm::geometry
