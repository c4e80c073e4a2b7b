// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/vtkhdf_values.hpp"

namespace lbm::io {

VtkhdfValues::VtkhdfValues(int fd, const ImageGeometry& geometry, std::span<const ArrayInfo> arrays,
                           std::vector<std::uint64_t> offsets, int threads)
    : fd_(fd),
      arrays_(arrays.begin(), arrays.end()),
      offsets_(std::move(offsets)),
      flat_(geometry, arrays),
      pieces_(fd, threads) {}

int VtkhdfValues::write_plane(int z, std::span<const std::span<const float>> arrays) {
  const auto planes = flat_.doubled(arrays);
  blocks_.clear();
  std::uint64_t written = 0;
  for (int copy = 0; copy < flat_.copies(); ++copy) {
    const auto plane = static_cast<std::uint64_t>(z) + static_cast<std::uint64_t>(copy);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const std::uint64_t bytes =
          planes[i].size() * static_cast<std::uint64_t>(bytes_of(arrays_[i].precision));
      blocks_.push_back({planes[i], offsets_[i] + plane * bytes, arrays_[i].precision});
      written += bytes;
    }
  }
  if (const int error = pieces_.write(blocks_)) return error;
  writeback_.wrote(fd_, written);
  return 0;
}

}  // namespace lbm::io
