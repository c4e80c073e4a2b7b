// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/voxel_paths.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lbm::geometry {
namespace {

// Pores seen so far: a forest whose roots have the numbers of their voxels and the faces of the
// image that they touch.
class Pores {
 public:
  std::int32_t add() {
    parent_.push_back(static_cast<std::int32_t>(parent_.size()));
    voxels_.push_back(0);
    faces_.push_back(0);
    return parent_.back();
  }
  std::int32_t root(std::int32_t pore) {
    while (parent_[pore] != pore) {
      parent_[pore] = parent_[parent_[pore]];
      pore = parent_[pore];
    }
    return pore;
  }
  // Both must be roots. Returns the root of both.
  std::int32_t join(std::int32_t a, std::int32_t b) {
    if (a == b) return a;
    if (b < a) std::swap(a, b);
    parent_[b] = a;
    voxels_[a] += voxels_[b];
    faces_[a] |= faces_[b];
    return a;
  }
  void add_voxel(std::int32_t root, unsigned faces) {
    ++voxels_[root];
    faces_[root] |= faces;
  }
  // Keeps the pores of `plane`, and renumbers them there; counts the others, which are complete.
  void keep(std::vector<std::int32_t>& plane, VoxelPaths& paths) {
    Pores kept;
    std::vector<std::int32_t> number(parent_.size(), -1);
    for (std::int32_t& pore : plane) {
      if (pore < 0) continue;
      const std::int32_t old = root(pore);
      if (number[old] < 0) {
        number[old] = kept.add();
        kept.voxels_.back() = voxels_[old];
        kept.faces_.back() = faces_[old];
      }
      pore = number[old];
    }
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      if (parent_[i] == static_cast<std::int32_t>(i) && number[i] < 0) count(i, paths);
    }
    *this = std::move(kept);
  }

 private:
  void count(std::size_t root, VoxelPaths& paths) const {
    paths.fluid += voxels_[root];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (leads_through(faces_[root], axis)) paths.through[axis] += voxels_[root];
    }
  }

  std::vector<std::int32_t> parent_;
  std::vector<std::int64_t> voxels_;
  std::vector<unsigned> faces_;  // bits: x low, x high, y low, ...
};

}  // namespace

VoxelPaths find_paths(const VoxelPlanes& image, const TimeLimit& limit) {
  const auto [nx, ny, nz] = image.size();
  const std::size_t size = image.plane_size();
  std::vector<std::uint8_t> solid(size);
  std::vector<std::int32_t> below(size, -1), here(size, -1);  // pores; -1: solid
  Pores pores;
  VoxelPaths paths;
  for (std::int64_t z = 0; z < nz; ++z) {
    limit.check();
    image.plane(z, solid);
    std::size_t i = 0;
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; ++x, ++i) {
        here[i] = -1;
        if (solid[i] != 0) continue;
        std::int32_t pore = -1;
        const auto beside = [&](std::int32_t other) {
          if (other < 0) return;
          other = pores.root(other);
          pore = pore < 0 ? other : pores.join(pore, other);
        };
        beside(below[i]);
        if (x > 0) beside(here[i - 1]);
        if (y > 0) beside(here[i - static_cast<std::size_t>(nx)]);
        if (pore < 0) pore = pores.add();
        here[i] = pore;
        pores.add_voxel(pore,
                        faces_of(x, nx - 1, 0) | faces_of(y, ny - 1, 1) | faces_of(z, nz - 1, 2));
      }
    }
    pores.keep(here, paths);
    std::swap(below, here);
  }
  std::vector<std::int32_t> none;
  pores.keep(none, paths);
  return paths;
}

}  // namespace lbm::geometry
