// SPDX-License-Identifier: Apache-2.0

// File descriptors: owned, read and written whole, flushed, and found again by other processes.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace lbm::io {

// Owns one file descriptor and closes it in the destructor. Errors of that close are lost; results
// use PartialFile::commit(), which syncs first.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  // Gives the descriptor to the caller.
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

// Remedy for an errno, as the end of a message; `usual` for an errno without a special remedy.
std::string_view remedy_of(int error, std::string_view usual);

// These return 0 or an errno.
int write_all(int fd, std::string_view text);
// From byte `offset` on, without moving the file position.
int write_at(int fd, std::span<const std::byte> bytes, std::uint64_t offset);
// Reads all of `bytes` from byte `offset` on; -1 at the end of the file.
int read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset);
// Reserves the first `bytes` of the file, so that a full disk fails now and not hours later. 0 also
// if the file system cannot reserve.
int reserve_bytes(int fd, std::uint64_t bytes);
// Waits until the disk has all data of the open file, or all names of the open directory. A signal
// does not end the wait. After an error the system may have dropped the data: calling again proves
// nothing.
int sync_to_disk(int fd);

// What tells an open file from all others; {} if `fd` is not open.
struct FileIdentity {
  std::uint64_t device = 0, inode = 0;
  bool operator==(const FileIdentity&) const = default;
};
FileIdentity identity_of(int fd);

// Starts writing the file's cached pages to the disk without waiting. Reports no errors; the sync
// before a commit does.
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

// Proves that two processes have opened the same file: on another host, the same path may name
// another file. A random number, stored in the file while others may open it. Trivially copyable,
// so that it can be sent.
struct FileToken {
  std::array<std::uint64_t, 2> value{};
  std::uint64_t offset = 0;
};

// Writes a new token into the file, visible to every host. Returns 0 or an errno.
int write_token(int fd, std::uint64_t offset, FileToken& token);

// Opens the file for reading and writing if it exists and has the token; otherwise the result is
// invalid.
UniqueFd open_with_token(const std::filesystem::path& path, const FileToken& token);

// `path` made absolute for processes with other working directories; unchanged if the working
// directory is unknown.
std::filesystem::path path_for_others(const std::filesystem::path& path);

}  // namespace lbm::io
