// SPDX-License-Identifier: Apache-2.0

// Where a file of voxels has its labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

enum class VoxelType : std::uint8_t { uint8, int8, uint16, int16, uint32, int32 };

constexpr auto enum_names(VoxelType) {
  return std::array{"uint8", "int8", "uint16", "int16", "uint32", "int32"};
}

constexpr std::size_t bytes_of(VoxelType type) {
  return type == VoxelType::uint8 || type == VoxelType::int8     ? 1
         : type == VoxelType::uint16 || type == VoxelType::int16 ? 2
                                                                 : 4;
}

// Labels that do not lie in one file one after the other.
class VoxelSource {
 public:
  VoxelSource() = default;
  VoxelSource(const VoxelSource&) = delete;
  VoxelSource& operator=(const VoxelSource&) = delete;
  virtual ~VoxelSource() = default;

  // The numbers of the plane at z, x fastest, in the type of the image and the byte order of this
  // machine. plane: exactly as many bytes. Any thread may call it. Throws UsageError, one line that
  // begins with the path, if a file has become shorter, has changed or cannot be read.
  virtual void read(std::int64_t z, std::span<std::byte> plane) const = 0;
};

// Edges of a voxel along x, y, z as a file tells them; an edge of 0 is not told.
struct VoxelEdges {
  std::array<double, 3> lengths{};
  std::string unit{};  // such as "um"; empty: not told
  double metres = 0;   // of the unit; 0: not told
};

// x is the axis that runs fastest in the file, z the slowest.
struct VoxelFormat {
  // That has the labels: a header may name another one. A folder or a pattern of names for planes
  // in files of their own.
  std::filesystem::path file;
  std::array<std::int64_t, 3> voxels{};  // along x, y, z
  VoxelType type = VoxelType::uint8;
  bool big_endian = false;   // in the file
  std::uint64_t offset = 0;  // of the first label, in bytes
  // Set: it has the labels, instead of `file` from `offset` on. Shared by copies of the format.
  std::shared_ptr<const VoxelSource> source{};
  VoxelEdges edges{};
};

// The largest images that are read.
constexpr std::int64_t most_voxels = std::int64_t{1} << 20;    // along an axis
constexpr std::int64_t most_in_plane = std::int64_t{1} << 28;  // a plane is held in memory

// Throws UsageError, one line that begins with the path, for a plane beyond these limits.
void check_plane(const std::filesystem::path& path, std::uint64_t width, std::uint64_t height);

// Voxels of an image: from `first` to before `last`, along x, y, z.
struct VoxelRange {
  std::array<std::int64_t, 3> first{}, last{};
  std::array<std::int64_t, 3> size() const {
    return {last[0] - first[0], last[1] - first[1], last[2] - first[2]};
  }
};

// lengths: along x, y, z; nan: not told, as in NRRD. unit: as the file writes it, such as "micron";
// a word that is no unit of length, such as "pixel", counts as not told. Throws UsageError, one
// line that begins with the path, unless the lengths are three numbers > 0.
VoxelEdges voxel_edges(const std::filesystem::path& path, std::string_view key,
                       const std::vector<double>& lengths, std::string_view unit);

// "0.002 x 0.006 x 0.002 mm"; "?" for an edge that is not told; empty if none is.
std::string text_of(const VoxelEdges& edges);

}  // namespace lbm::io
