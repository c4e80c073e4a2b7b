// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/voxel_images.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "solver/core/error.hpp"
#include "solver/core/in_parts.hpp"

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

  // Keeps the pores of these planes, and renumbers them there; counts the others, which are
  // complete.
  void keep(std::initializer_list<Plane*> planes, VoxelPaths& paths) {
    Pores kept;
    std::vector<std::int32_t> number(parent_.size(), -1);
    for (Plane* const plane : planes) {
      for (std::int32_t& pore : *plane) {
        if (pore < 0) continue;
        const std::int32_t old = root(pore);
        if (number[old] < 0) {
          number[old] = kept.add();
          kept.voxels_.back() = voxels_[old];
          kept.faces_.back() = faces_[old];
        }
        pore = number[old];
      }
    }
    count(paths, [&](std::size_t root) { return number[root] < 0; });
    kept.kept_ = kept.parent_.size();
    *this = std::move(kept);
  }
  // True where most pores were added after the last call of keep().
  bool has_grown(std::size_t least) const { return parent_.size() > std::max(2 * kept_, least); }
  std::size_t size() const { return parent_.size(); }
  // Adds the pores of other planes, whose numbers grow by the size of these.
  void append(Pores&& other) {
    const auto before = static_cast<std::int64_t>(size());
    check_count(size() + other.size());
    for (const std::int32_t parent : other.parent_) {
      parent_.push_back(static_cast<std::int32_t>(before + parent));
    }
    voxels_.insert(voxels_.end(), other.voxels_.begin(), other.voxels_.end());
    faces_.insert(faces_.end(), other.faces_.begin(), other.faces_.end());
    other = Pores();
  }
  // The pores at the common sides of two planes are one.
  void join_planes(const Plane& low, const Plane& high) {
    for (std::size_t i = 0; i < low.size(); ++i) {
      if (low[i] >= 0 && high[i] >= 0) join(root(low[i]), root(high[i]));
    }
  }
  // After it faces_of() may be called from many threads.
  void flatten() {
    for (std::int32_t& parent : parent_) parent = parent_[parent];
  }
  unsigned faces_of(std::int32_t pore) const { return faces_[parent_[pore]]; }

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
    check_count(size() + 1);
    parent_.push_back(static_cast<std::int32_t>(parent_.size()));
    voxels_.push_back(0);
    faces_.push_back(0);
    return parent_.back();
  }
  static void check_count(std::size_t count) {
    if (count <= std::size_t{std::numeric_limits<std::int32_t>::max()}) return;
    throw UsageError(
        "the image has more than 2^31 beginnings of pores: it is noise; filter it, or remove "
        "connected");
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
  std::size_t kept_ = 0;
};

// Planes [first, last) of an image.
struct Slab {
  std::int64_t first = 0, last = 0;
  Plane lowest{}, highest{};  // numbers in the first and the last plane
  Pores pores{};
  VoxelPaths complete{};  // of pores that reach neither of these
};

// Calls number_of(i, voxel, neighbours) for each fluid voxel of the slab, in order; it returns the
// number of the voxel. i: place in the plane. neighbours: the numbers at lower z, x and y; -1:
// solid, or outside the slab. Calls after(z, solid, numbers) after each plane.
template <class NumberOf, class After>
void number_voxels(const VoxelPlanes& image, const Slab& slab, const TimeLimit& limit,
                   const NumberOf& number_of, const After& after) {
  const auto [nx, ny, nz] = image.size();
  std::vector<std::uint8_t> solid(image.plane_size());
  Plane below(image.plane_size(), -1), here = below;
  for (Voxels v{0, 0, slab.first}; v[2] < slab.last; ++v[2]) {
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

// Calls work(slab) for each, on a thread of its own.
template <class Work>
void for_slabs(std::vector<Slab>& slabs, const Work& work) {
  FirstError error;
#pragma omp parallel for schedule(dynamic) num_threads(static_cast <int>(slabs.size()))
  for (std::size_t s = 0; s < slabs.size(); ++s) error.guard([&] { work(slabs[s]); });
  error.rethrow();
}

// One for each thread. after: as above, of the planes of pores of a slab, which it may renumber.
template <class After>
std::vector<Slab> find_pores(const VoxelPlanes& image, const TimeLimit& limit, const After& after) {
  constexpr std::size_t bytes_a_voxel = 17;  // four planes of numbers, and one of voxels
  const std::int64_t nz = image.size()[2],
                     count = std::min<std::int64_t>(threads_for(image, bytes_a_voxel), nz);
  std::vector<Slab> slabs(static_cast<std::size_t>(count));
  for (std::int64_t s = 0; s < count; ++s) {
    slabs[static_cast<std::size_t>(s)].first = s * nz / count;
    slabs[static_cast<std::size_t>(s)].last = (s + 1) * nz / count;
  }
  for_slabs(slabs, [&](Slab& slab) {
    const auto number_of = [&](std::size_t, const Voxels& voxel, const auto& neighbours) {
      const std::int32_t pore = slab.pores.joined(neighbours);
      slab.pores.add_voxel(pore, faces_of(voxel, image.size()));
      return pore;
    };
    number_voxels(image, slab, limit, number_of,
                  [&](std::int64_t z, const auto& solid, Plane& plane) {
                    if (z == slab.first) slab.lowest = plane;
                    after(slab, z, solid, plane);
                    if (z == slab.last - 1) slab.highest = plane;
                  });
  });
  return slabs;
}

// The pores of all slabs. A slab keeps its numbers, plus the size of the slabs before it.
Pores joined(std::vector<Slab>& slabs) {
  Pores all;
  const Plane* before = nullptr;
  for (Slab& slab : slabs) {
    const auto shift = static_cast<std::int32_t>(all.size());
    all.append(std::move(slab.pores));
    for (Plane* const plane : {&slab.lowest, &slab.highest}) {
      for (std::int32_t& pore : *plane) pore += pore < 0 ? 0 : shift;
    }
    if (before != nullptr) all.join_planes(*before, slab.lowest);
    before = &slab.highest;
  }
  return all;
}

}  // namespace

VoxelPaths find_paths(const VoxelPlanes& image, const TimeLimit& limit) {
  std::vector<Slab> slabs =
      find_pores(image, limit, [&](Slab& slab, std::int64_t z, const auto&, Plane& plane) {
        if (z == slab.last - 1 || slab.pores.has_grown(plane.size() / 4))
          slab.pores.keep({&slab.lowest, &plane}, slab.complete);
      });
  VoxelPaths paths;
  joined(slabs).count(paths, [](std::size_t) { return true; });
  for (const Slab& slab : slabs) {
    paths.fluid += slab.complete.fluid;
    for (std::size_t a = 0; a < 3; ++a) paths.through[a] += slab.complete.through[a];
  }
  return paths;
}

ConnectedVoxels connected(const VoxelPlanes& source, std::size_t axis, const TimeLimit& limit) {
  const auto image = std::make_shared<PackedVoxels>(source.size());
  std::vector<Slab> slabs = find_pores(
      source, limit,
      [&](Slab&, std::int64_t z, const auto& solid, const Plane&) { image->set_plane(z, solid); });
  std::vector<std::int64_t> given;  // numbers are given in the same order, though not joined
  std::int64_t before = 0;
  for (const Slab& slab : slabs) {
    given.push_back(before);
    before += static_cast<std::int64_t>(slab.pores.size());
  }
  Pores pores = joined(slabs);
  pores.flatten();
  for_slabs(slabs, [&](const Slab& slab) {
    auto next = static_cast<std::int32_t>(given[static_cast<std::size_t>(&slab - slabs.data())]);
    std::vector<std::uint8_t> closed(image->plane_size());
    const auto number_of = [&](std::size_t i, const Voxels&, const auto& neighbours) {
      // All neighbours are of the same pore.
      const std::int32_t pore = std::max({neighbours[0], neighbours[1], neighbours[2]});
      const std::int32_t number = pore < 0 ? next++ : pore;
      if (!leads_through(pores.faces_of(number), axis)) closed[i] = 1;
      return number;
    };
    number_voxels(*image, slab, limit, number_of,
                  [&](std::int64_t z, const auto& solid, const Plane&) {
                    for (std::size_t i = 0; i < closed.size(); ++i) closed[i] |= solid[i];
                    image->set_plane(z, closed);
                    std::fill(closed.begin(), closed.end(), std::uint8_t{0});
                  });
  });
  ConnectedVoxels result{image, {}, {}};
  pores.count(result.before, [](std::size_t) { return true; });
  pores.count(result.after, [&](std::size_t root) {
    return leads_through(pores.faces_of(static_cast<std::int32_t>(root)), axis);
  });
  return result;
}

}  // namespace lbm::geometry
