// SPDX-License-Identifier: Apache-2.0

// File operations that report every failure, and files that are complete or absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
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

// Writes all of `text`; returns 0 or an errno.
int write_all(int fd, std::string_view text);

// Writes all of `bytes` from byte `offset` on, without moving the file position; returns 0 or an
// errno.
int write_at(int fd, std::span<const std::byte> bytes, std::uint64_t offset);

// Reads all of `bytes` from byte `offset` on; returns 0, an errno, or -1 at the end of the file.
int read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset);

// Starts writing the file's cached pages to the disk without waiting. Reports no errors; the sync
// in commit_file() does.
void start_writeback(int fd);

// Starts writeback early: otherwise a large page cache keeps gigabytes until the close, which then
// waits for the disk.
class EarlyWriteback {
 public:
  static constexpr std::uint64_t interval = std::uint64_t{64} << 20;  // bytes
  // Call it for each write.
  void wrote(int fd, std::uint64_t bytes) {
    waiting_ += bytes;
    if (waiting_ < interval) return;
    start_writeback(fd);
    waiting_ = 0;
  }

 private:
  std::uint64_t waiting_ = 0;  // bytes since the last start
};

// Reserves the first `bytes` of the file, so that a full disk fails now and not hours later.
// Returns 0 or an errno; 0 also if the file system cannot reserve.
int reserve_bytes(int fd, std::uint64_t bytes);

// `path` + ".partial": the name of an unfinished file.
std::filesystem::path partial_name(const std::filesystem::path& path);

// An unfinished file: `<place>.partial`, which the destructor removes unless it was committed.
class PartialFile {
 public:
  // Creates the file. Throws ResourceError.
  explicit PartialFile(Place place);

  const std::filesystem::path& path() const { return partial_->path(); }
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
  struct Identity {
    std::uint64_t device = 0, inode = 0;
    bool operator==(const Identity&) const = default;
  };
  static Identity identity_of(int fd);
  int sync() const;

  struct Remover {
    void operator()(Place* partial) const;
  };
  Place place_;
  std::unique_ptr<Place, Remover> partial_;  // null after commit()
  UniqueFd fd_;
  Identity identity_;
};

}  // namespace lbm::io
