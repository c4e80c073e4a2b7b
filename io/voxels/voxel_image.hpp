// SPDX-License-Identifier: Apache-2.0

// Reads the labels of an image of voxels, plane by plane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "io/files/descriptor.hpp"
#include "io/voxels/voxel_file.hpp"
#include "solver/core/time_limit.hpp"

namespace lbm::io {

class VoxelImage {
 public:
  // Opens the file. Throws UsageError.
  explicit VoxelImage(VoxelFormat format);

  const VoxelFormat& format() const { return format_; }
  // Labels of the plane at z, x fastest: voxels[0] * voxels[1] numbers. May be called from many
  // threads. Throws UsageError, with the path, if the file has become shorter or cannot be read.
  void plane(std::int64_t z, std::span<std::int64_t> labels) const;
  // The label of one voxel. May be called from many threads. If the format has a source: reads the
  // whole plane, and keeps it until a call for another plane. Throws UsageError.
  std::int64_t label(std::int64_t x, std::int64_t y, std::int64_t z) const;

  // How many voxels of a part have each label. part: not empty, and within the image. Reads its
  // planes, on all threads. Throws UsageError for more than 65,536 labels (an image of grey
  // values), and TimeLimitReached.
  std::map<std::int64_t, std::int64_t> count(const VoxelRange& part, const TimeLimit& limit) const;
  // The same for the whole image.
  std::map<std::int64_t, std::int64_t> count(const TimeLimit& limit) const {
    return count({{}, format_.voxels}, limit);
  }

 private:
  // So many numbers from that one on, in the byte order of this machine. Throws UsageError.
  std::vector<std::byte> bytes_at(std::uint64_t first, std::size_t count) const;
  // The numbers of a plane, likewise.
  std::vector<std::byte> bytes_of_plane(std::int64_t z) const;

  // The plane of the last call of label().
  struct Kept {
    std::mutex mutex;
    std::int64_t z = -1;
    std::vector<std::byte> bytes;
  };

  VoxelFormat format_;
  UniqueFd fd_;  // unless the format has a source
  std::unique_ptr<Kept> kept_ = std::make_unique<Kept>();
};

}  // namespace lbm::io
