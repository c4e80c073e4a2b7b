// SPDX-License-Identifier: Apache-2.0

// A range of a file in memory, to be written there: unlike write(), which most file systems do one
// at a time for a file, threads and processes write to it side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lbm::io {

class MappedRange {
 public:
  // Empty where writing to the memory could fail later, which would end the program: unless all
  // blocks of the file, which reaches to the end of the range, are reserved on a local disk (ext4,
  // XFS) or in memory (tmpfs). Also where the system refuses.
  static std::optional<MappedRange> open(int fd, std::uint64_t offset, std::size_t bytes);

  MappedRange(MappedRange&& other) noexcept;
  ~MappedRange();
  MappedRange(const MappedRange&) = delete;
  MappedRange& operator=(const MappedRange&) = delete;

  // Address of the first byte of the range.
  std::byte* data() const { return pages_ + before_; }

 private:
  MappedRange(std::byte* pages, std::size_t before, std::size_t bytes)
      : pages_(pages), before_(before), bytes_(bytes) {}

  std::byte* pages_;
  std::size_t before_, bytes_;  // bytes of the first page before the range; of all pages
};

}  // namespace lbm::io
