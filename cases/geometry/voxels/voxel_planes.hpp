// SPDX-License-Identifier: Apache-2.0

// An image of voxels, each solid or fluid, in planes.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lbm::geometry {

// Voxels, or a number for each axis: x, y, z.
using Voxels = std::array<std::int64_t, 3>;

// Immutable; every function may be called from many threads, and throws UsageError where a file
// cannot be read.
class VoxelPlanes {
 public:
  explicit VoxelPlanes(const Voxels& size) : size_(size) {}
  VoxelPlanes(const VoxelPlanes&) = delete;
  VoxelPlanes& operator=(const VoxelPlanes&) = delete;
  virtual ~VoxelPlanes() = default;

  // Along x, y, z; each at least 1.
  const Voxels& size() const { return size_; }
  std::size_t plane_size() const { return static_cast<std::size_t>(size_[0] * size_[1]); }

  // The plane at z, 0 <= z < size()[2]: 1 where a voxel is solid, 0 where it is fluid. [y][x],
  // plane_size() values, all of which are written.
  virtual void plane(std::int64_t z, std::span<std::uint8_t> solid) const = 0;
  // True if this voxel of the image is solid. Slow.
  virtual bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const = 0;

 private:
  Voxels size_;
};

using VoxelPlanesPtr = std::shared_ptr<const VoxelPlanes>;

}  // namespace lbm::geometry
