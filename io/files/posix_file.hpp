// SPDX-License-Identifier: Apache-2.0

// Files that are complete or absent, and errors of writing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "io/files/place.hpp"

namespace lbm::io {

// Throws ResourceError, one line: path, text of `error` (an errno), bytes needed (0: unknown) and
// free, remedy.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error,
                                    std::uint64_t bytes_needed);

// Creates the file for reading and writing, in the place of an older file or link of that name.
// Throws ResourceError.
UniqueFd create_file(const Place& place);

// `path` + ".partial": the name of an unfinished file.
std::filesystem::path partial_name(const std::filesystem::path& path);

// An unfinished file: `<place>.partial`, which the destructor removes unless it was committed.
class PartialFile {
 public:
  // Creates the file. Throws ResourceError.
  explicit PartialFile(const Place& place);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return partial_.path(); }
  // The open file, once; the caller closes it.
  UniqueFd take_fd() { return std::move(fd_); }
  // For libraries that open files by name: leads to this file, whatever has its name by now.
  std::filesystem::path path_of(const UniqueFd& fd) const { return path_of_open(fd.get(), path()); }

  // Flushes the file, renames it to the final name (or another one), and flushes the directory
  // entry. Throws ResourceError, also if another process has replaced the file. After an error of
  // the last of these the file has its final name already, and may lose it in a power cut.
  void commit(std::uint64_t bytes) { commit_as(place_, bytes); }
  void commit_as(const Place& place, std::uint64_t bytes);

 private:
  Place place_, partial_;
  bool committed_ = false;
  UniqueFd fd_;
  FileIdentity identity_;
};

// Writes `text` to `<place>.partial`, flushes it to the disk and renames it: a reader (or a crash)
// sees the old or the new file. Throws ResourceError and then keeps the old file and no
// partial one.
void write_file_atomically(const Place& place, std::string_view text);

// Bytes that this user may still write to the disk of `path`, or of its nearest existing parent;
// empty if the disk cannot be queried.
std::optional<std::uint64_t> free_disk_bytes(const std::filesystem::path& path);

}  // namespace lbm::io
