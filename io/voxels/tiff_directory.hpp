// SPDX-License-Identifier: Apache-2.0

// Directories of TIFF files: TIFF 6.0 (Adobe 1992) and BigTIFF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "io/files/unique_fd.hpp"

namespace lbm::io {

// An open file, which is untrusted: all sizes are compared with that of the file. All functions
// throw UsageError, one line that begins with the path. Any thread may call them.
class TiffFile {
 public:
  explicit TiffFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }
  bool big_endian() const { return big_endian_; }
  bool is_big_tiff() const { return big_tiff_; }
  std::uint64_t first_page() const { return first_page_; }

  // Fills all of `to` from byte `at` on, which must lie in the file.
  void read(std::uint64_t at, std::span<std::byte> to) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::filesystem::path path_;
  UniqueFd fd_;
  std::uint64_t bytes_ = 0;
  bool big_endian_ = false, big_tiff_ = false;
  std::uint64_t first_page_ = 0;
};

// One directory of a file, which must live as long. Its entries are read; their values are read
// when they are asked for. Throws as TiffFile.
class TiffDirectory {
 public:
  TiffDirectory(const TiffFile& file, std::uint64_t at);

  std::uint64_t next() const { return next_; }  // place of the next directory; 0: none
  bool has(int tag) const { return find(tag) != nullptr; }
  // All values of a tag, which must be there, and at most `most`.
  std::vector<std::uint64_t> numbers(int tag, std::uint64_t most) const;
  // The first value of a tag, or `otherwise` if there is none.
  std::uint64_t one(int tag, std::uint64_t otherwise) const;
  // A fraction; 0 if there is none.
  double ratio(int tag) const;
  // The first bytes of a text; empty if there is none.
  std::string text(int tag, std::uint64_t most) const;

 private:
  struct Entry {
    int tag = 0;
    std::uint64_t size = 0;  // of a value, in bytes; 0: values that are no whole numbers
    bool is_ratio = false;
    std::uint64_t count = 0, at = 0;
  };
  std::size_t word() const { return file_.is_big_tiff() ? 8 : 4; }  // of counts and places
  const Entry* find(int tag) const;

  const TiffFile& file_;
  std::vector<Entry> entries_;
  std::uint64_t next_ = 0;
};

}  // namespace lbm::io
