// SPDX-License-Identifier: Apache-2.0

// Which pores of an image of voxels lead from one side to the other.
#pragma once

#include <array>
#include <cstdint>

#include "cases/geometry/voxels/voxel_planes.hpp"
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

// The faces of the image that a voxel touches, as bits: x low, x high, y low, ... along x, y, z.
inline unsigned faces_of(std::int64_t index, std::int64_t last, int axis) {
  return (index == 0 ? 1U << (2 * axis) : 0U) | (index == last ? 2U << (2 * axis) : 0U);
}
inline bool leads_through(unsigned faces, std::size_t axis) {
  const unsigned both = 3U << (2 * axis);
  return (faces & both) == both;
}

}  // namespace lbm::geometry
