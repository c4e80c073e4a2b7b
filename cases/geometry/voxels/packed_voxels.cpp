// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/packed_voxels.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "cases/geometry/voxels/voxel_views.hpp"
#include "solver/core/error.hpp"
#include "solver/core/first_error.hpp"
#include "solver/core/host_memory.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::geometry {
namespace {

constexpr std::int64_t bits_of_block = 64;

std::size_t available(const Voxels& size, std::size_t row_bytes) {
  const std::size_t bytes = static_cast<std::size_t>(size[1] * size[2]) * row_bytes;
  if (bytes <= host_memory_available()) return bytes;
  throw ResourceError(fmt::format(
      "an image of {} x {} x {} voxels that is turned or connected needs one bit a voxel in "
      "memory, {} in all, {} are available: crop or coarsen it",
      size[0], size[1], size[2], human_bytes(bytes), human_bytes(host_memory_available())));
}

// Puts planes of a source into an image whose z axis is another one of the source.
class Turner {
 public:
  Turner(const VoxelPlanes& source, const std::array<int, 3>& axes, PackedVoxels& result)
      : source_(source), axes_(axes), result_(result) {}

  // Planes first to before last, at most 64; first is a multiple of 64.
  void add(std::int64_t first, std::int64_t last) {
    plane_.resize(source_.plane_size());
    if (axes_[0] == 2) words_.assign(source_.plane_size(), 0);
    for (std::int64_t z = first; z < last; ++z) {
      source_.plane(z, plane_);
      if (axes_[0] == 0) {
        add_rows(z);
      } else if (axes_[0] == 1) {
        add_columns(z);
      } else {
        for (std::size_t i = 0; i < words_.size(); ++i) {
          words_[i] |= std::uint64_t{plane_[i]} << (z - first);
        }
      }
    }
    if (axes_[0] == 2) add_words(first);
  }

 private:
  // bits: of voxels of the source from `v` on along the axis that becomes x.
  void add(const Voxels& v, std::uint64_t bits) {
    if (bits != 0) result_.add_bits(v[axes_[0]], v[axes_[1]], v[axes_[2]], bits);
  }
  // x stays x: bits of a row are beside each other.
  void add_rows(std::int64_t z) {
    const auto [nx, ny, nz] = source_.size();
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; x += bits_of_block) {
        const std::uint8_t* from = &plane_[static_cast<std::size_t>(y * nx + x)];
        const std::int64_t count = std::min(bits_of_block, nx - x);
        std::uint64_t bits = 0;
        for (std::int64_t i = 0; i < count; ++i) bits |= std::uint64_t{from[i]} << i;
        add({x, y, z}, bits);
      }
    }
  }
  // y becomes x: the bits of 64 rows are gathered, all columns at once.
  void add_columns(std::int64_t z) {
    const auto [nx, ny, nz] = source_.size();
    for (std::int64_t first = 0; first < ny; first += bits_of_block) {
      words_.assign(static_cast<std::size_t>(nx), 0);
      const std::int64_t last = std::min(first + bits_of_block, ny);
      for (std::int64_t y = first; y < last; ++y) {
        const std::uint8_t* from = &plane_[static_cast<std::size_t>(y * nx)];
        for (std::size_t x = 0; x < words_.size(); ++x) {
          words_[x] |= std::uint64_t{from[x]} << (y - first);
        }
      }
      for (std::int64_t x = 0; x < nx; ++x) add({x, first, z}, words_[static_cast<std::size_t>(x)]);
    }
  }
  // z becomes x: the bits of 64 planes have been gathered.
  void add_words(std::int64_t first) {
    const auto [nx, ny, nz] = source_.size();
    const std::uint64_t* word = words_.data();
    for (std::int64_t y = 0; y < ny; ++y) {
      for (std::int64_t x = 0; x < nx; ++x) add({x, y, first}, *word++);
    }
  }

  const VoxelPlanes& source_;
  const std::array<int, 3>& axes_;
  PackedVoxels& result_;
  std::vector<std::uint8_t> plane_;
  std::vector<std::uint64_t> words_;
};

// As many as have room for their planes in 256 MB: a file is read into 8 bytes a voxel, and Turner
// holds as much.
int threads_for(const VoxelPlanes& source) {
  constexpr std::size_t most_bytes = 256'000'000, bytes_a_voxel = 18;
  const std::size_t most = most_bytes / (bytes_a_voxel * source.plane_size());
  return static_cast<int>(
      std::clamp<std::size_t>(most, 1, static_cast<std::size_t>(omp_get_max_threads())));
}

}  // namespace

PackedVoxels::PackedVoxels(const Voxels& size)
    : VoxelPlanes(size),
      row_bytes_(static_cast<std::size_t>((size[0] + 7) / 8)),
      bits_(available(size, row_bytes_), 0) {}

void PackedVoxels::plane(std::int64_t z, std::span<std::uint8_t> solid) const {
  const auto [nx, ny, nz] = size();
  std::uint8_t* to = solid.data();
  for (std::int64_t y = 0; y < ny; ++y) {
    const std::uint8_t* from = &bits_[row(y, z)];
    for (std::int64_t x = 0; x < nx; ++from) {
      const std::int64_t count = std::min<std::int64_t>(8, nx - x);
      for (std::int64_t i = 0; i < count; ++i) to[i] = *from >> i & 1U;
      to += count;
      x += count;
    }
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
    for (std::int64_t x = 0; x < nx; ++to) {
      const std::int64_t count = std::min<std::int64_t>(8, nx - x);
      unsigned byte = 0;
      for (std::int64_t i = 0; i < count; ++i) byte |= unsigned{from[i]} << i;
      *to = static_cast<std::uint8_t>(byte);
      from += count;
      x += count;
    }
  }
}

void PackedVoxels::add_bits(std::int64_t x, std::int64_t y, std::int64_t z, std::uint64_t bits) {
  std::uint8_t* to = &bits_[row(y, z) + static_cast<std::size_t>(x / 8)];
  for (; bits != 0; bits >>= 8U, ++to) *to |= static_cast<std::uint8_t>(bits);
}

VoxelPlanesPtr turned(VoxelPlanesPtr source, const std::array<int, 3>& axes,
                      const TimeLimit& limit) {
  if (axes[2] == 2) return axes[0] == 0 ? source : transposed(std::move(source));
  const Voxels& n = source->size();
  auto result = std::make_shared<PackedVoxels>(Voxels{n[axes[0]], n[axes[1]], n[axes[2]]});
  FirstError error;
#pragma omp parallel num_threads(threads_for(*source))
  {
    Turner turner(*source, axes, *result);
#pragma omp for schedule(dynamic)
    for (std::int64_t first = 0; first < n[2]; first += bits_of_block) {
      if (error.found()) continue;
      error.guard([&] {
        limit.check();
        turner.add(first, std::min(first + bits_of_block, n[2]));
      });
    }
  }
  error.rethrow();
  return result;
}

}  // namespace lbm::geometry
