// SPDX-License-Identifier: Apache-2.0
#include "cases/geometry/voxels/packed_voxels.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

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

// As many as have room for their planes in 256 MB: a file is read into 8 bytes a voxel.
int threads_for(const VoxelPlanes& source) {
  constexpr std::size_t most_bytes = 256'000'000, bytes_a_voxel = 9;
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

void PackedVoxels::set_solid(const Voxels& voxel) {
  bits_[row(voxel[1], voxel[2]) + static_cast<std::size_t>(voxel[0] / 8)] |=
      static_cast<std::uint8_t>(1U << (voxel[0] % 8));
}

VoxelPlanesPtr turned(VoxelPlanesPtr source, const std::array<int, 3>& axes,
                      const TimeLimit& limit) {
  if (axes == std::array{0, 1, 2}) return source;
  const Voxels& n = source->size();
  auto result = std::make_shared<PackedVoxels>(Voxels{n[axes[0]], n[axes[1]], n[axes[2]]});
  FirstError error;
#pragma omp parallel num_threads(threads_for(*source))
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

}  // namespace lbm::geometry
