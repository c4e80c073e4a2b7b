// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/voxel_images.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "solver/core/error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/in_parts.hpp"

namespace lbm::geometry {
namespace {

constexpr int bits_of_block = 64;

std::size_t available(const Voxels& size, std::size_t row_bytes) {
  const std::size_t bytes = static_cast<std::size_t>(size[1] * size[2]) * row_bytes;
  if (bytes <= host_memory_available()) return bytes;
  throw ResourceError(fmt::format(
      "an image of {} x {} x {} voxels that is turned or connected needs one bit a voxel in "
      "memory, {} in all, {} are available: crop or coarsen it",
      size[0], size[1], size[2], human_bytes(bytes), human_bytes(host_memory_available())));
}

// The eight bits of a byte as bytes, 0 or 1, from the lowest bit on; and back.
std::uint64_t spread(std::uint8_t bits) {
  const std::uint64_t apart = bits * 0x0101010101010101U & 0x8040201008040201U;
  return (apart + 0x7f7f7f7f7f7f7f7fU) >> 7 & 0x0101010101010101U;
}
std::uint8_t packed(std::uint64_t bytes) {
  return static_cast<std::uint8_t>(bytes * 0x0102040810204080U >> 56);
}

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

PackedVoxels::PackedVoxels(const Voxels& size)
    : VoxelPlanes(size),
      row_bytes_(static_cast<std::size_t>((size[0] + 7) / 8)),
      memory_(map_host_memory(available(size, row_bytes_), "an image")),
      bits_(reinterpret_cast<std::uint8_t*>(memory_.data())) {}

void PackedVoxels::plane(std::int64_t z, std::span<std::uint8_t> solid) const {
  const auto [nx, ny, nz] = size();
  std::uint8_t* to = solid.data();
  for (std::int64_t y = 0; y < ny; ++y) {
    const std::uint8_t* from = &bits_[row(y, z)];
    // The lowest byte comes first in memory.
    for (std::int64_t x = 0; x < nx / 8; ++x, to += 8) {
      const std::uint64_t bytes = spread(*from++);
      std::memcpy(to, &bytes, 8);
    }
    for (int i = 0; i < nx % 8; ++i) *to++ = *from >> i & 1U;
  }
}

bool PackedVoxels::is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return (bits_[row(y, z) + static_cast<std::size_t>(x / 8)] >> (x % 8) & 1U) != 0;
}

void PackedVoxels::set_plane(std::int64_t z, std::span<const std::uint8_t> solid) {
  const auto [nx, ny, nz] = size();
  const std::uint8_t* from = solid.data();
  for (std::int64_t y = 0; y < ny; ++y) {
    std::uint8_t* to = &bits_[row(y, z)];
    std::uint64_t bytes = 0;
    for (std::int64_t x = 0; x < nx / 8; ++x, from += 8) {
      std::memcpy(&bytes, from, 8);
      *to++ = packed(bytes);
    }
    if (nx % 8 == 0) continue;
    bytes = 0;
    for (int i = 0; i < nx % 8; ++i) bytes |= std::uint64_t{*from++} << (8 * i);
    *to = packed(bytes);
  }
}

void PackedVoxels::set_solid(const Voxels& voxel) {
  bits_[row(voxel[1], voxel[2]) + static_cast<std::size_t>(voxel[0] / 8)] |=
      static_cast<std::uint8_t>(1U << (voxel[0] % 8));
}

int threads_for(const VoxelPlanes& source, std::size_t bytes_a_voxel) {
  const std::size_t most_bytes = std::max<std::size_t>(256'000'000, host_memory_available() / 16);
  const std::size_t most = most_bytes / (bytes_a_voxel * source.plane_size());
  return static_cast<int>(
      std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(omp_get_max_threads())));
}

VoxelPlanesPtr turned(VoxelPlanesPtr source, const std::array<int, 3>& axes,
                      const TimeLimit& limit) {
  if (axes == std::array{0, 1, 2}) return source;
  const Voxels& n = source->size();
  auto result = std::make_shared<PackedVoxels>(Voxels{n[axes[0]], n[axes[1]], n[axes[2]]});
  FirstError error;
#pragma omp parallel num_threads(threads_for(*source, 9))
  {
    std::vector<std::uint8_t> plane(source->plane_size());
    // Planes of a block share bytes of the result where z becomes x; blocks do not.
#pragma omp for schedule(dynamic, bits_of_block)
    for (std::int64_t z = 0; z < n[2]; ++z) {
      if (error.found()) continue;
      error.guard([&] {
        limit.check();
        source->plane(z, plane);
        const std::uint8_t* solid = plane.data();
        for (Voxels v{0, 0, z}; v[1] < n[1]; ++v[1]) {
          for (v[0] = 0; v[0] < n[0]; ++v[0]) {
            if (*solid++ != 0) result->set_solid({v[axes[0]], v[axes[1]], v[axes[2]]});
          }
        }
      });
    }
  }
  error.rethrow();
  return result;
}

LabelledVoxels::LabelledVoxels(std::shared_ptr<const io::VoxelImage> image,
                               const std::vector<std::int64_t>& fluid, const VoxelRange& part)
    : VoxelPlanes(part.size()), image_(std::move(image)), fluid_(fluid), first_(part.first) {
  std::sort(fluid_.begin(), fluid_.end());
  for (std::size_t label = 0; label < solid_of_.size(); ++label) {
    solid_of_[label] = has_solid_label(static_cast<std::int64_t>(label)) ? 1 : 0;
  }
}

bool LabelledVoxels::has_solid_label(std::int64_t label) const {
  return !std::binary_search(fluid_.begin(), fluid_.end(), label);
}

void LabelledVoxels::plane(std::int64_t z, std::span<std::uint8_t> solid) const {
  plane_of(image_->bytes_of_plane(first_[2] + z), solid);
}

void LabelledVoxels::plane_of(std::span<const std::byte> labels,
                              std::span<std::uint8_t> solid) const {
  const io::VoxelFormat& format = image_->format();
  const std::size_t bytes = io::bytes_of(format.type);
  const auto [nx, ny, nz] = size();
  std::uint8_t* to = solid.data();
  for (std::int64_t y = 0; y < ny; ++y, to += nx) {
    const auto first = static_cast<std::size_t>((first_[1] + y) * format.voxels[0] + first_[0]);
    const auto row = labels.subspan(first * bytes, static_cast<std::size_t>(nx) * bytes);
    io::visit_labels(format.type, row, [&](std::size_t i, std::int64_t label) {
      to[i] = static_cast<std::uint64_t>(label) < solid_of_.size()
                  ? solid_of_[static_cast<std::size_t>(label)]
                  : static_cast<std::uint8_t>(has_solid_label(label));
    });
  }
}

bool LabelledVoxels::is_solid(std::int64_t x, std::int64_t y, std::int64_t z) const {
  return has_solid_label(image_->label(first_[0] + x, first_[1] + y, first_[2] + z));
}

ReadVoxels read_voxels(const std::shared_ptr<const io::VoxelImage>& image,
                       const std::vector<std::int64_t>& fluid, const VoxelRange& part,
                       const TimeLimit& limit) {
  const auto source = std::make_shared<const LabelledVoxels>(image, fluid, part);
  const Voxels& n = source->size();
  if (static_cast<std::size_t>((n[0] + 7) / 8 * n[1] * n[2]) > host_memory_available() / 4) {
    return {image->count(part, limit), source};
  }
  auto result = std::make_shared<PackedVoxels>(n);
  auto labels = image->count(part, limit, [&](std::int64_t z, std::span<const std::byte> plane) {
    std::vector<std::uint8_t> solid(source->plane_size());
    source->plane_of(plane, solid);
    result->set_plane(z - part.first[2], solid);
  });
  return {std::move(labels), std::move(result)};
}

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

VoxelShape::VoxelShape(VoxelPlanesPtr image, const Voxels& corner, const std::array<int, 3>& box)
    : image_(std::move(image)), corner_(corner), box_(box) {
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t all = image_->size()[a];
    first_[a] = std::clamp<std::int64_t>(-corner_[a], 0, all);
    last_[a] = std::clamp<std::int64_t>(box[a] - corner_[a], first_[a], all);
  }
}

Voxels VoxelShape::voxel_of(const Vec& p) const {
  Voxels voxel{};
  for (int a = 0; a < 3; ++a) voxel[a] = static_cast<std::int64_t>(std::floor(p[a])) - corner_[a];
  return voxel;
}

bool VoxelShape::has(int axis, std::int64_t index) const {
  return index >= first_[axis] && index < last_[axis];
}

int VoxelShape::side(const Vec& p) const {
  const auto v = voxel_of(p);
  if (!has(0, v[0]) || !has(1, v[1]) || !has(2, v[2])) return -1;
  return image_->is_solid(v[0], v[1], v[2]) ? 1 : -1;
}

void VoxelShape::crossings(const Segment& s, std::vector<double>& shares) const {
  for (int a = 0; a < 3; ++a) {
    const double from = s.from[a], length = s.to[a] - s.from[a];
    if (length == 0) continue;
    const double low = std::min(from, s.to[a]), high = std::max(from, s.to[a]);
    for (double plane = std::ceil(low); plane <= high; ++plane) {
      shares.push_back((plane - from) / length);
    }
  }
}

Box VoxelShape::bounds() const {
  Box box;
  for (int a = 0; a < 3; ++a) {
    box.low[a] = static_cast<double>(corner_[a] + first_[a]);
    box.high[a] = static_cast<double>(corner_[a] + last_[a]);
  }
  return box;
}

void VoxelShape::sides(const Window& w, std::span<std::int8_t> sides) const {
  std::fill(sides.begin(), sides.end(), std::int8_t{-1});
  const auto first = voxel_of(w.first);
  if (!has(2, first[2])) return;
  const std::int64_t nx = image_->size()[0];
  std::vector<std::uint8_t> solid(image_->plane_size());
  image_->plane(first[2], solid);
  const std::int64_t begin = std::max<std::int64_t>(first_[0] - first[0], 0),
                     end = std::min<std::int64_t>(last_[0] - first[0], w.nx);
  for (std::int64_t j = 0; j < w.ny; ++j) {
    if (!has(1, first[1] + j)) continue;
    const std::uint8_t* row = solid.data() + (first[1] + j) * nx + first[0];
    std::int8_t* side = &sides[static_cast<std::size_t>(j) * static_cast<std::size_t>(w.nx)];
    for (std::int64_t i = begin; i < end; ++i) {
      side[i] = row[i] != 0 ? std::int8_t{1} : std::int8_t{-1};
    }
  }
}

std::shared_ptr<const VoxelShape> VoxelShape::in_memory() const {
  Voxels size{}, corner{};
  for (int a = 0; a < 3; ++a) {
    size[a] = std::max<std::int64_t>(last_[a] - first_[a], 1);
    corner[a] = corner_[a] + first_[a];
  }
  auto packed = std::make_shared<PackedVoxels>(size);
  std::vector<std::uint8_t> whole(image_->plane_size()), part(packed->plane_size());
  for (std::int64_t z = first_[2]; z < last_[2]; ++z) {
    image_->plane(z, whole);
    for (std::int64_t y = first_[1]; y < last_[1]; ++y) {
      const auto row = whole.begin() + y * image_->size()[0];
      std::copy(row + first_[0], row + last_[0], part.begin() + (y - first_[1]) * size[0]);
    }
    packed->set_plane(z - first_[2], part);
  }
  return std::make_shared<VoxelShape>(std::move(packed), corner, box_);
}

}  // namespace lbm::geometry
