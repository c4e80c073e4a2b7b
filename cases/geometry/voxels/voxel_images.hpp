// SPDX-License-Identifier: Apache-2.0

// Images of voxels: labels of a file, packed in memory as they are read, and views of other images.
// A view is made plane by plane, and holds nothing but the other image. The solid voxels of an
// image are a body, and its pores are known (voxel_pores.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "cases/geometry/shape.hpp"
#include "io/voxels/voxel_image.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/time_limit.hpp"

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

// An image in memory, one bit a voxel. Rows along x begin at whole bytes: an image that is one
// voxel wide needs one byte a voxel.
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
  Buffer memory_;
  std::uint8_t* bits_;  // of x, x + 1, ... from the lowest bit on
};

// Threads for a loop over planes, each with so many bytes a voxel of a plane: as many as have room
// in 1/16 of the memory that is available, or in 256 MB.
int threads_for(const VoxelPlanes& source, std::size_t bytes_a_voxel);

// The image with other axes: axes[a] is the axis of the source that becomes axis a, each of 0, 1
// and 2 once. Where any changes the result is packed: the source is read once, on all threads.
// Throws ResourceError, TimeLimitReached, and what the source throws.
VoxelPlanesPtr turned(VoxelPlanesPtr source, const std::array<int, 3>& axes,
                      const TimeLimit& limit);

using io::VoxelRange;

// The image in a file, or a part of it, by the labels of its voxels.
class LabelledVoxels final : public VoxelPlanes {
 public:
  // fluid: labels of the voxels that are not solid. part: not empty, and within the image.
  LabelledVoxels(std::shared_ptr<const io::VoxelImage> image,
                 const std::vector<std::int64_t>& fluid, const VoxelRange& part);

  void plane(std::int64_t z, std::span<std::uint8_t> solid) const override;
  bool is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const override;
  // The same plane from its labels: those of the whole plane of the file.
  void plane_of(std::span<const std::byte> labels, std::span<std::uint8_t> solid) const;

 private:
  bool has_solid_label(std::int64_t label) const;

  std::shared_ptr<const io::VoxelImage> image_;
  std::vector<std::int64_t> fluid_;         // sorted
  std::array<std::uint8_t, 256> solid_of_;  // labels from 0 to 255: the usual ones
  Voxels first_;
};

struct ReadVoxels {
  std::map<std::int64_t, std::int64_t> labels;  // number of voxels by label
  VoxelPlanesPtr image;
};

// The labels of a part of an image and its solid voxels, as of LabelledVoxels. Reads the part once,
// on all threads, into one bit a voxel; where these do not fit into a quarter of the memory that is
// available, the image reads the file for every plane that it is asked for. Throws what
// io::VoxelImage::count() throws.
ReadVoxels read_voxels(const std::shared_ptr<const io::VoxelImage>& image,
                       const std::vector<std::int64_t>& fluid, const VoxelRange& part,
                       const TimeLimit& limit);

// Each voxel becomes factor^3 voxels. factor >= 1.
VoxelPlanesPtr refined(VoxelPlanesPtr source, std::int64_t factor);

// As many voxels along each axis, each that of the source at its centre. size: each at least 1.
VoxelPlanesPtr resampled(VoxelPlanesPtr source, const Voxels& size);

// factor^3 voxels become one: solid where at least half of them are solid. So a tie is solid, and
// pores become no wider than they are. factor >= 1 must divide each size of the source.
VoxelPlanesPtr coarsened(VoxelPlanesPtr source, std::int64_t factor);

// The image followed by its mirror image along each of these axes: twice as long there. The first
// and the last plane are the same then, and both planes in the middle.
VoxelPlanesPtr mirrored(VoxelPlanesPtr source, const std::array<bool, 3>& axes);

// The image so many times along x, y and z; each at least once.
VoxelPlanesPtr repeated(VoxelPlanesPtr source, const Voxels& times);

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

struct VoxelPaths {
  std::int64_t fluid = 0;  // voxels
  // Fluid voxels in pores that reach both faces of the image along each axis. A pore is a set of
  // fluid voxels with common sides.
  Voxels through{};
};

// Asks for each plane once, on all threads, each of which numbers the pores of its slab plane by
// plane (the method of Hoshen & Kopelman, Phys. Rev. B 14 (1976) 3438) and holds four planes of
// numbers (4 bytes a voxel). Throws what the image throws, and TimeLimitReached.
VoxelPaths find_paths(const VoxelPlanes& image, const TimeLimit& limit);

struct ConnectedVoxels {
  VoxelPlanesPtr image;
  VoxelPaths before, after;  // of the source, and of the image
};

// The source with all fluid voxels solid whose pore does not reach both faces of the image along
// this axis. The faces of the image end a pore, also where the box is periodic. Packs the source,
// asking for each plane once; follows the pores twice through the packed image, as find_paths()
// does. Fluid voxels without a fluid neighbour at lower x, y and z
// cost 13 bytes each: a scan has few of them, random noise with 25 % fluid one in ten voxels.
// Throws UsageError for more than 2^31 of them, ResourceError, TimeLimitReached, and what the
// source throws.
ConnectedVoxels connected(const VoxelPlanes& source, std::size_t axis, const TimeLimit& limit);

}  // namespace lbm::geometry
