// SPDX-License-Identifier: Apache-2.0

// A body of the solid voxels of an image: one voxel is one cell.
#pragma once

#include <array>
#include <cstdint>

#include "cases/geometry/shape.hpp"
#include "cases/geometry/voxels/voxel_images.hpp"

namespace lbm::geometry {

// Asks for planes of the image whenever cells are asked for; holds no plane itself.
class VoxelShape final : public Shape {
 public:
  // corner: where the image begins, in cells. box: cells of the box; voxels outside it do not
  // count, so they do not reappear at periodic faces.
  VoxelShape(VoxelPlanesPtr image, const Voxels& corner, const std::array<int, 3>& box);

  // All of these throw UsageError if the file cannot be read. Outside the image nothing is solid.
  int side(const Vec& p) const override;
  // Every plane between voxels.
  void crossings(const Segment& s, std::vector<double>& shares) const override;
  Box bounds() const override;
  void sides(const Window& w, std::span<std::int8_t> sides) const override;

  // The same body, whose voxels in the box are in memory, one bit each: for many questions about
  // single points. Throws ResourceError where less memory is available.
  std::shared_ptr<const VoxelShape> in_memory() const;

 private:
  Voxels voxel_of(const Vec& p) const;
  bool has(int axis, std::int64_t index) const;

  VoxelPlanesPtr image_;
  Voxels corner_;
  std::array<int, 3> box_;
  Voxels first_{}, last_{};  // voxels in the box: from first to before last
};

}  // namespace lbm::geometry
