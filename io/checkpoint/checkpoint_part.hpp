// SPDX-License-Identifier: Apache-2.0

// Writes planes into a checkpoint file that another process has created.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "io/checkpoint/checkpoint_planes.hpp"
#include "io/files/file_token.hpp"

namespace lbm::io {

// Place of an array in a partial file. Trivially copyable, so that it can be sent.
struct ArrayPlace {
  FileToken token;  // identifies the file until it is complete
  std::uint64_t offset = 0, plane_bytes = 0;
  std::int64_t planes = 0;
};

struct PlaneSum {
  std::int64_t plane = 0;
  std::uint64_t checksum = 0;
  bool operator==(const PlaneSum&) const = default;
};

// Opened from CheckpointWriter::partial and ::share, in any process that reaches the file. Memory:
// 16 bytes for each plane written.
class CheckpointPart {
 public:
  // Empty if the path leads to no writable file or to a different one. threads: writing threads, 0
  // for a suitable number.
  static std::optional<CheckpointPart> open(const std::filesystem::path& partial,
                                            const ArrayPlace& place, int threads = 0);

  // Writes planes first, first + 1, ..., contiguous in `bytes`. Returns 0 or an errno. Throws
  // std::logic_error for planes outside the array.
  int write_planes(std::int64_t first, std::span<const std::byte> bytes);
  // Flushes all written planes to the disk, visible to every host. Returns 0 or an errno.
  int sync() const;
  // Checksums of all written planes, for CheckpointWriter::add_planes.
  std::span<const PlaneSum> sums() const { return sums_; }

 private:
  CheckpointPart(UniqueFd file, const ArrayPlace& place, int threads)
      : place_(place), values_(std::move(file), threads) {}

  ArrayPlace place_;
  checkpoint::PlanesWriter values_;
  std::vector<PlaneSum> sums_;
};

}  // namespace lbm::io
