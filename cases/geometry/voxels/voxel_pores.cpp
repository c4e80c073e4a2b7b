// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/voxel_images.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "solver/core/error.hpp"

namespace lbm::geometry {
namespace {

// The faces of the image that a voxel touches, as bits: x low, x high, y low, ...
unsigned faces_of(const Voxels& voxel, const Voxels& size) {
  unsigned faces = 0;
  for (unsigned a = 0; a < 3; ++a) {
    if (voxel[a] == 0) faces |= 1U << (2 * a);
    if (voxel[a] == size[a] - 1) faces |= 2U << (2 * a);
  }
  return faces;
}

bool leads_through(unsigned faces, std::size_t axis) {
  const unsigned both = 3U << (2 * axis);
  return (faces & both) == both;
}

using Plane = std::vector<std::int32_t>;  // numbers of pores; -1: solid

// Numbers of pores: a forest in which a pore has its lowest number as its root. Roots have the
// number of their voxels and the faces of the image that they touch.
class Pores {
 public:
  // The pore of a voxel with these neighbours; -1: none. A new one if there are none.
  std::int32_t joined(const std::array<std::int32_t, 3>& neighbours) {
    std::int32_t pore = -1;
    for (const std::int32_t other : neighbours) {
      if (other >= 0) pore = pore < 0 ? root(other) : join(pore, root(other));
    }
    return pore < 0 ? add() : pore;
  }
  void add_voxel(std::int32_t root, unsigned faces) {
    ++voxels_[root];
    faces_[root] |= static_cast<std::uint8_t>(faces);
  }
  unsigned faces(std::int32_t pore) { return faces_[root(pore)]; }

  // Keeps the pores of `plane`, and renumbers them there; counts the others, which are complete.
  void keep(Plane& plane, VoxelPaths& paths) {
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
    count(paths, [&](std::size_t root) { return number[root] < 0; });
    *this = std::move(kept);
  }
  // Counts those that is_counted(root).
  void count(VoxelPaths& paths, const auto& is_counted) const {
    for (std::size_t i = 0; i < parent_.size(); ++i) {
      if (parent_[i] != static_cast<std::int32_t>(i) || !is_counted(i)) continue;
      paths.fluid += voxels_[i];
      for (std::size_t a = 0; a < 3; ++a) {
        if (leads_through(faces_[i], a)) paths.through[a] += voxels_[i];
      }
    }
  }

 private:
  std::int32_t add() {
    if (parent_.size() >= std::size_t{std::numeric_limits<std::int32_t>::max()}) {
      throw UsageError(
          "the image has more than 2^31 beginnings of pores: it is noise; filter it, or remove "
          "connected");
    }
    parent_.push_back(static_cast<std::int32_t>(parent_.size()));
    voxels_.push_back(0);
    faces_.push_back(0);
    return parent_.back();
  }
  std::int32_t root(std::int32_t pore) {
    while (parent_[pore] != pore) pore = parent_[pore] = parent_[parent_[pore]];
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

  std::vector<std::int32_t> parent_;
  std::vector<std::int64_t> voxels_;
  std::vector<std::uint8_t> faces_;
};

// Calls number_of(i, voxel, neighbours) for each fluid voxel, in order; it returns the number of
// the voxel. i: place in the plane. neighbours: the numbers at lower z, x and y; -1: solid, or
// outside the image. Calls after(z, solid, numbers) after each plane.
template <class NumberOf, class After>
void number_voxels(const VoxelPlanes& image, const TimeLimit& limit, const NumberOf& number_of,
                   const After& after) {
  const auto [nx, ny, nz] = image.size();
  std::vector<std::uint8_t> solid(image.plane_size());
  Plane below(image.plane_size(), -1), here = below;
  for (Voxels v{}; v[2] < nz; ++v[2]) {
    limit.check();
    image.plane(v[2], solid);
    std::size_t i = 0;
    for (v[1] = 0; v[1] < ny; ++v[1]) {
      for (v[0] = 0; v[0] < nx; ++v[0], ++i) {
        here[i] =
            solid[i] != 0
                ? -1
                : number_of(i, v,
                            std::array{below[i], v[0] > 0 ? here[i - 1] : -1,
                                       v[1] > 0 ? here[i - static_cast<std::size_t>(nx)] : -1});
      }
    }
    after(v[2], solid, here);
    std::swap(below, here);
  }
}

// after: as above, of the planes of pores.
template <class After>
void find_pores(const VoxelPlanes& image, const TimeLimit& limit, Pores& pores,
                const After& after) {
  const auto number_of = [&](std::size_t, const Voxels& voxel, const auto& neighbours) {
    const std::int32_t pore = pores.joined(neighbours);
    pores.add_voxel(pore, faces_of(voxel, image.size()));
    return pore;
  };
  number_voxels(image, limit, number_of, after);
}

}  // namespace

VoxelPaths find_paths(const VoxelPlanes& image, const TimeLimit& limit) {
  Pores pores;
  VoxelPaths paths;
  find_pores(image, limit, pores,
             [&](std::int64_t, const auto&, Plane& plane) { pores.keep(plane, paths); });
  Plane none;
  pores.keep(none, paths);
  return paths;
}

ConnectedVoxels connected(const VoxelPlanes& source, std::size_t axis, const TimeLimit& limit) {
  const auto image = std::make_shared<PackedVoxels>(source.size());
  Pores pores;
  find_pores(source, limit, pores,
             [&](std::int64_t z, const auto& solid, const Plane&) { image->set_plane(z, solid); });
  std::vector<std::uint8_t> closed(image->plane_size());
  std::int32_t given = 0;  // numbers are given in the same order, though not joined
  const auto number_of = [&](std::size_t i, const Voxels&, const auto& neighbours) {
    // All neighbours are of the same pore.
    const std::int32_t pore = std::max({neighbours[0], neighbours[1], neighbours[2]});
    const std::int32_t number = pore < 0 ? given++ : pore;
    if (!leads_through(pores.faces(number), axis)) closed[i] = 1;
    return number;
  };
  number_voxels(*image, limit, number_of, [&](std::int64_t z, const auto& solid, const Plane&) {
    for (std::size_t i = 0; i < closed.size(); ++i) closed[i] |= solid[i];
    image->set_plane(z, closed);
    std::fill(closed.begin(), closed.end(), std::uint8_t{0});
  });
  ConnectedVoxels result{image, {}, {}};
  pores.count(result.before, [](std::size_t) { return true; });
  pores.count(result.after, [&](std::size_t root) {
    return leads_through(pores.faces(static_cast<std::int32_t>(root)), axis);
  });
  return result;
}

}  // namespace lbm::geometry
