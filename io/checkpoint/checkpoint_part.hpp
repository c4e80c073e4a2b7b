// SPDX-License-Identifier: Apache-2.0

// Writes planes into a checkpoint file, with checksums and several threads, bypassing HDF5: those
// of the process that has created the file, and of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "io/files/descriptor.hpp"

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

namespace checkpoint {

class PlanesWriter {
 public:
  // file: open for writing. threads: writing threads, 0 for a suitable number.
  PlanesWriter(UniqueFd file, int threads);

  // Writes planes first, first + 1, ... of an array, contiguous in `bytes`, and appends their
  // checksums to `sums`. Returns 0 or an errno. Throws std::logic_error for planes outside the
  // array.
  int write(const ArrayPlace& array, std::int64_t first, std::span<const std::byte> bytes,
            std::vector<PlaneSum>& sums);

  int fd() const { return file_.get(); }

 private:
  UniqueFd file_;
  int threads_;
  EarlyWriteback writeback_;
};

}  // namespace checkpoint

// Opened from CheckpointWriter::partial and ::share, in any process that reaches the file. Memory:
// 16 bytes for each plane written.
class CheckpointPart {
 public:
  // Empty if the path leads to no writable file or to a different one. threads: writing threads, 0
  // for a suitable number.
  static std::optional<CheckpointPart> open(const std::filesystem::path& partial,
                                            const ArrayPlace& place, int threads = 0);

  // As PlanesWriter::write.
  int write_planes(std::int64_t first, std::span<const std::byte> bytes) {
    return values_.write(place_, first, bytes, sums_);
  }
  // Flushes all written planes to the disk, visible to every host. Returns 0 or an errno. The
  // process that created the file syncs its length, which is fixed.
  int sync() const { return sync_to_disk(values_.fd()); }
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
