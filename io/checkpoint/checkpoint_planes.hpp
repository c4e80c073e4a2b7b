// How planes go into a checkpoint file: past HDF5, with checksums, by several threads. For the .cpp
// files of io only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "io/files/posix_file.hpp"

namespace lbm::io::checkpoint {

class PlanesWriter {
 public:
  // file: open for writing. threads: those that write, 0 for as many as are worth it.
  PlanesWriter(UniqueFd file, int threads);

  // Writes planes of plane_bytes each, one after the other, from byte `offset` of the file on;
  // sums: room for the checksum of each. Returns 0 or an errno.
  int write(std::uint64_t offset, std::size_t plane_bytes, std::span<const std::byte> bytes,
            std::span<std::uint64_t> sums);

  int fd() const { return file_.get(); }

 private:
  int write_group(std::uint64_t offset, std::size_t plane_bytes, std::span<const std::byte> bytes,
                  std::span<std::uint64_t> sums) const;
  int write_plane(std::uint64_t offset, std::span<const std::byte> bytes, std::uint64_t& sum) const;

  UniqueFd file_;
  int threads_;
  std::uint64_t waiting_bytes_ = 0;  // since the last start_writeback
};

}  // namespace lbm::io::checkpoint
