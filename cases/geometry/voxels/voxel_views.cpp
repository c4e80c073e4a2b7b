// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/voxel_views.hpp"

#include <algorithm>
#include <vector>

namespace lbm::geometry {
namespace {

// Voxel i of an axis is voxel source_of[i] of the same axis of the source.
class RemappedVoxels final : public VoxelPlanes {
 public:
  using Table = std::vector<std::int32_t>;

  RemappedVoxels(VoxelPlanesPtr source, std::array<Table, 3> source_of)
      : VoxelPlanes({static_cast<std::int64_t>(source_of[0].size()),
                     static_cast<std::int64_t>(source_of[1].size()),
                     static_cast<std::int64_t>(source_of[2].size())}),
        source_(std::move(source)),
        source_of_(std::move(source_of)) {}

  void plane(std::int64_t z, std::span<std::uint8_t> solid) const override {
    std::vector<std::uint8_t> below(source_->plane_size());
    source_->plane(source_of_[2][static_cast<std::size_t>(z)], below);
    const std::size_t nx = source_of_[0].size(), ny = source_of_[1].size();
    const auto row_below = static_cast<std::size_t>(source_->size()[0]);
    for (std::size_t y = 0; y < ny; ++y) {
      std::uint8_t* to = &solid[y * nx];
      const auto from_y = static_cast<std::size_t>(source_of_[1][y]);
      if (y > 0 && source_of_[1][y] == source_of_[1][y - 1]) {
        std::copy_n(to - nx, nx, to);
        continue;
      }
      const std::uint8_t* from = &below[from_y * row_below];
      for (std::size_t x = 0; x < nx; ++x) to[x] = from[source_of_[0][x]];
    }
  }
  bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const override {
    return source_->is_solid(source_of_[0][static_cast<std::size_t>(x)],
                             source_of_[1][static_cast<std::size_t>(y)],
                             source_of_[2][static_cast<std::size_t>(z)]);
  }

 private:
  VoxelPlanesPtr source_;
  std::array<Table, 3> source_of_;
};

// of(axis, i): the voxel of the source at voxel i.
template <class Of>
VoxelPlanesPtr remapped(VoxelPlanesPtr source, const Voxels& size, const Of& of) {
  std::array<RemappedVoxels::Table, 3> tables;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    tables[axis].resize(static_cast<std::size_t>(size[axis]));
    for (std::int64_t i = 0; i < size[axis]; ++i) {
      tables[axis][static_cast<std::size_t>(i)] = static_cast<std::int32_t>(of(axis, i));
    }
  }
  return std::make_shared<RemappedVoxels>(std::move(source), std::move(tables));
}

class CoarseVoxels final : public VoxelPlanes {
 public:
  CoarseVoxels(VoxelPlanesPtr source, std::int64_t factor)
      : VoxelPlanes(
            {source->size()[0] / factor, source->size()[1] / factor, source->size()[2] / factor}),
        source_(std::move(source)),
        factor_(factor) {}

  void plane(std::int64_t z, std::span<std::uint8_t> solid) const override {
    std::vector<std::uint8_t> fine(source_->plane_size());
    std::vector<std::int64_t> solids(plane_size(), 0);  // of the voxels of each
    const auto [nx, ny, nz] = size();
    for (std::int64_t k = 0; k < factor_; ++k) {
      source_->plane(z * factor_ + k, fine);
      const std::uint8_t* from = fine.data();
      for (std::int64_t y = 0; y < ny * factor_; ++y) {
        std::int64_t* sum = &solids[static_cast<std::size_t>(y / factor_ * nx)];
        for (std::int64_t x = 0; x < nx; ++x) {
          for (std::int64_t i = 0; i < factor_; ++i) sum[x] += *from++;
        }
      }
    }
    for (std::size_t i = 0; i < solids.size(); ++i) solid[i] = is_majority(solids[i]) ? 1 : 0;
  }
  bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const override {
    std::int64_t solids = 0;
    for (std::int64_t k = 0; k < factor_; ++k) {
      for (std::int64_t j = 0; j < factor_; ++j) {
        for (std::int64_t i = 0; i < factor_; ++i) {
          if (source_->is_solid(x * factor_ + i, y * factor_ + j, z * factor_ + k)) ++solids;
        }
      }
    }
    return is_majority(solids);
  }

 private:
  bool is_majority(std::int64_t solids) const { return 2 * solids >= factor_ * factor_ * factor_; }

  VoxelPlanesPtr source_;
  std::int64_t factor_;
};

}  // namespace

VoxelPlanesPtr refined(VoxelPlanesPtr source, std::int64_t factor) {
  const auto [nx, ny, nz] = source->size();
  return remapped(std::move(source), {nx * factor, ny * factor, nz * factor},
                  [factor](std::size_t, std::int64_t i) { return i / factor; });
}

VoxelPlanesPtr resampled(VoxelPlanesPtr source, const Voxels& size) {
  const Voxels n = source->size();
  return remapped(std::move(source), size, [n, size](std::size_t axis, std::int64_t i) {
    return (2 * i + 1) * n[axis] / (2 * size[axis]);
  });
}

VoxelPlanesPtr coarsened(VoxelPlanesPtr source, std::int64_t factor) {
  return std::make_shared<CoarseVoxels>(std::move(source), factor);
}

VoxelPlanesPtr mirrored(VoxelPlanesPtr source, const std::array<bool, 3>& axes) {
  const Voxels n = source->size();
  Voxels size = n;
  for (std::size_t axis = 0; axis < 3; ++axis) size[axis] *= axes[axis] ? 2 : 1;
  return remapped(std::move(source), size, [n](std::size_t axis, std::int64_t i) {
    return i < n[axis] ? i : 2 * n[axis] - 1 - i;
  });
}

VoxelPlanesPtr repeated(VoxelPlanesPtr source, const Voxels& times) {
  const Voxels n = source->size();
  return remapped(std::move(source), {n[0] * times[0], n[1] * times[1], n[2] * times[2]},
                  [n](std::size_t axis, std::int64_t i) { return i % n[axis]; });
}

}  // namespace lbm::geometry
