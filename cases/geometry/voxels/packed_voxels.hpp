// SPDX-License-Identifier: Apache-2.0

// An image of voxels in memory, one bit a voxel.
#pragma once

#include <vector>

#include "cases/geometry/voxels/voxel_planes.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::geometry {

// Rows along x begin at whole bytes: an image that is one voxel wide needs one byte a voxel.
class PackedVoxels final : public VoxelPlanes {
 public:
  // All fluid. Throws ResourceError where less memory is available.
  explicit PackedVoxels(const Voxels& size);

  void plane(std::int64_t z, std::span<std::uint8_t> solid) const override;
  bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const override;

  // Sets the plane at z; [y][x], 1: solid. Different planes may be set by different threads.
  void set_plane(std::int64_t z, std::span<const std::uint8_t> solid);
  // Makes a voxel solid. Different bytes, of 8 voxels each along x, may be set by different
  // threads.
  void set_solid(const Voxels& voxel);

 private:
  std::size_t row(std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>(z * size()[1] + y) * row_bytes_;
  }

  std::size_t row_bytes_;
  std::vector<std::uint8_t> bits_;  // of x, x + 1, ... from the lowest bit on
};

// The image with other axes: axes[a] is the axis of the source that becomes axis a, each of 0, 1
// and 2 once. Where any changes the result is packed: the source is read once, on all threads.
// Throws ResourceError, TimeLimitReached, and what the source throws.
VoxelPlanesPtr turned(VoxelPlanesPtr source, const std::array<int, 3>& axes,
                      const TimeLimit& limit);

}  // namespace lbm::geometry
