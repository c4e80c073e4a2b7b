// Where a file of voxels has its labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>

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

// x is the axis that runs fastest in the file, z the slowest.
struct VoxelFormat {
  std::filesystem::path file;            // that has the labels: a header may name another one
  std::array<std::int64_t, 3> voxels{};  // along x, y, z
  VoxelType type = VoxelType::uint8;
  bool big_endian = false;
  std::uint64_t offset = 0;  // of the first label, in bytes
};

}  // namespace lbm::io
