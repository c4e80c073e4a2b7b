// SPDX-License-Identifier: Apache-2.0

// Writes planes into a checkpoint file with checksums and several threads, bypassing HDF5. Internal
// to the .cpp files of io.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/files/posix_file.hpp"

namespace lbm::io::checkpoint {

// Bytes that are written, or read, and checksummed at a time: they stay in a core's cache between
// both.
inline constexpr std::size_t piece_bytes = std::size_t{1} << 18;

class PlanesWriter {
 public:
  // file: open for writing. threads: writing threads, 0 for a suitable number.
  PlanesWriter(UniqueFd file, int threads);

  // Writes contiguous planes of plane_bytes each from byte `offset` of the file on; sums: receives
  // one checksum per plane. Returns 0 or an errno.
  int write(std::uint64_t offset, std::size_t plane_bytes, std::span<const std::byte> bytes,
            std::span<std::uint64_t> sums);

  int fd() const { return file_.get(); }

 private:
  int write_group(std::uint64_t offset, std::size_t plane_bytes, std::span<const std::byte> bytes,
                  std::span<std::uint64_t> sums) const;
  int write_plane(std::uint64_t offset, std::span<const std::byte> bytes, std::uint64_t& sum) const;

  UniqueFd file_;
  int threads_;
  EarlyWriteback writeback_;
};

}  // namespace lbm::io::checkpoint
