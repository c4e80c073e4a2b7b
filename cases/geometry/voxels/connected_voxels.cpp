// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/connected_voxels.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

// Calls action(i, x, y, neighbours) for each fluid voxel of a plane, in order. neighbours: the
// numbers of the pores at lower z, x and y; -1: solid, or outside the image. The action returns the
// number of the voxel.
class PlanePair {
 public:
  explicit PlanePair(const VoxelPlanes& image)
      : nx_(image.size()[0]),
        ny_(image.size()[1]),
        below_(image.plane_size(), -1),
        here_(image.plane_size(), -1) {}

  template <class Action>
  void next(const std::vector<std::uint8_t>& solid, const Action& action) {
    std::size_t i = 0;
    for (std::int64_t y = 0; y < ny_; ++y) {
      for (std::int64_t x = 0; x < nx_; ++x, ++i) {
        here_[i] = solid[i] != 0
                       ? -1
                       : action(i, x, y,
                                std::array{below_[i], x > 0 ? here_[i - 1] : -1,
                                           y > 0 ? here_[i - static_cast<std::size_t>(nx_)] : -1});
      }
    }
    std::swap(below_, here_);
  }

 private:
  std::int64_t nx_, ny_;
  std::vector<std::int32_t> below_, here_;
};

// All numbers ever given: a forest in which a pore has its lowest number as its root.
class Numbers {
 public:
  std::int32_t add() {
    if (parent_.size() >= std::size_t{std::numeric_limits<std::int32_t>::max()}) {
      throw UsageError(
          "the image has more than 2^31 beginnings of pores: it is noise; filter it, or remove "
          "connected");
    }
    parent_.push_back(static_cast<std::int32_t>(parent_.size()));
    faces_.push_back(0);
    return parent_.back();
  }
  std::int32_t root(std::int32_t number) {
    auto at = static_cast<std::size_t>(number);
    while (parent_[at] != static_cast<std::int32_t>(at)) {
      parent_[at] = parent_[static_cast<std::size_t>(parent_[at])];
      at = static_cast<std::size_t>(parent_[at]);
    }
    return static_cast<std::int32_t>(at);
  }
  std::int32_t join(std::int32_t a, std::int32_t b) {
    if (a == b) return a;
    if (b < a) std::swap(a, b);
    parent_[static_cast<std::size_t>(b)] = a;
    faces_[static_cast<std::size_t>(a)] |= faces_[static_cast<std::size_t>(b)];
    return a;
  }
  void touch(std::int32_t root, unsigned faces) {
    faces_[static_cast<std::size_t>(root)] |= static_cast<std::uint8_t>(faces);
  }
  // Gives each number the faces of its pore.
  void finish() {
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      faces_[i] = faces_[static_cast<std::size_t>(root(static_cast<std::int32_t>(i)))];
    }
    parent_ = {};
  }
  std::uint8_t faces(std::int32_t number) const { return faces_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<std::int32_t> parent_;
  std::vector<std::uint8_t> faces_;
};

std::shared_ptr<PackedVoxels> packed(const VoxelPlanes& source, const TimeLimit& limit) {
  auto image = std::make_shared<PackedVoxels>(source.size());
  std::vector<std::uint8_t> solid(source.plane_size());
  for (std::int64_t z = 0; z < source.size()[2]; ++z) {
    limit.check();
    source.plane(z, solid);
    image->set_plane(z, solid);
  }
  return image;
}

Numbers numbers_of(const VoxelPlanes& image, const TimeLimit& limit) {
  const Voxels& n = image.size();
  std::vector<std::uint8_t> solid(image.plane_size());
  Numbers numbers;
  PlanePair planes(image);
  for (std::int64_t z = 0; z < n[2]; ++z) {
    limit.check();
    image.plane(z, solid);
    planes.next(solid, [&](std::size_t, std::int64_t x, std::int64_t y, const auto& neighbours) {
      std::int32_t pore = -1;
      for (const std::int32_t other : neighbours) {
        if (other < 0) continue;
        const std::int32_t root = numbers.root(other);
        pore = pore < 0 ? root : numbers.join(pore, root);
      }
      if (pore < 0) pore = numbers.add();
      numbers.touch(pore,
                    faces_of(x, n[0] - 1, 0) | faces_of(y, n[1] - 1, 1) | faces_of(z, n[2] - 1, 2));
      return pore;
    });
  }
  numbers.finish();
  return numbers;
}

// Counts of voxels by the faces that their pore touches.
struct FaceCounts {
  std::array<std::int64_t, 64> voxels{};

  VoxelPaths paths(const auto& is_kept) const {
    VoxelPaths all;
    for (unsigned faces = 0; faces < voxels.size(); ++faces) {
      if (!is_kept(faces)) continue;
      all.fluid += voxels[faces];
      for (std::size_t a = 0; a < 3; ++a) {
        if (leads_through(faces, a)) all.through[a] += voxels[faces];
      }
    }
    return all;
  }
};

}  // namespace

ConnectedVoxels connected(const VoxelPlanes& source, std::size_t axis, const TimeLimit& limit) {
  const std::shared_ptr<PackedVoxels> image = packed(source, limit);
  const Numbers numbers = numbers_of(*image, limit);
  std::vector<std::uint8_t> solid(image->plane_size()), kept(image->plane_size());
  PlanePair planes(*image);
  FaceCounts counts;
  std::int32_t given = 0;  // numbers are given in the same order, though not joined
  for (std::int64_t z = 0; z < source.size()[2]; ++z) {
    limit.check();
    image->plane(z, solid);
    kept = solid;
    planes.next(solid, [&](std::size_t i, std::int64_t, std::int64_t, const auto& neighbours) {
      const std::int32_t pore =
          std::max({neighbours[0], neighbours[1], neighbours[2]});  // all are of the same pore
      const std::int32_t number = pore < 0 ? given++ : pore;
      const unsigned faces = numbers.faces(number);
      ++counts.voxels[faces];
      if (!leads_through(faces, axis)) kept[i] = 1;
      return number;
    });
    image->set_plane(z, kept);
  }
  return {image, counts.paths([](unsigned) { return true; }),
          counts.paths([axis](unsigned faces) { return leads_through(faces, axis); })};
}

}  // namespace lbm::geometry
