// A body of the voxels of an image that are not fluid: one voxel is one cell.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "cases/geometry/shape.hpp"
#include "io/voxels/voxel_image.hpp"

namespace lbm::geometry {

// Reads the image plane by plane whenever cells are asked for; holds no plane itself.
class VoxelShape final : public Shape {
 public:
  // fluid: labels of the voxels that are not solid. corner: where the image begins, in cells. box:
  // cells of the box; voxels outside it do not count, so they do not reappear at periodic faces.
  VoxelShape(std::shared_ptr<const io::VoxelImage> image, std::vector<std::int64_t> fluid,
             std::array<std::int64_t, 3> corner, const std::array<int, 3>& box);

  // All of these throw UsageError if the file cannot be read. Outside the image nothing is solid.
  int side(const Vec& p) const override;
  // Every plane between voxels.
  void crossings(const Segment& s, std::vector<double>& shares) const override;
  Box bounds() const override;
  void sides(const Window& w, std::span<std::int8_t> sides) const override;

 private:
  bool is_solid(std::int64_t label) const;
  std::array<std::int64_t, 3> voxel_of(const Vec& p) const;
  bool has(int axis, std::int64_t index) const;

  std::shared_ptr<const io::VoxelImage> image_;
  std::vector<std::int64_t> fluid_;  // sorted
  std::array<std::int64_t, 3> corner_;
  std::array<std::int64_t, 3> first_{}, last_{};  // voxels in the box: from first to before last
};

}  // namespace lbm::geometry
