// File descriptors with an owner, and file operations that report every failure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace lbm::io {

// Owns one file descriptor; closes it in the destructor. Errors of that close are lost: results go
// through commit_file(), which syncs first.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  ~UniqueFd() { reset(); }
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept;
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  void reset();

 private:
  int fd_ = -1;
};

// Throws ResourceError: one line with the path, the text of `error` (an errno value), the bytes
// needed (0: unknown, not said) against those free, and the remedy.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error,
                                    std::uint64_t bytes_needed);

// Creates or truncates `path`. Throws ResourceError.
UniqueFd create_file(const std::filesystem::path& path);

// Writes all of `text`; returns 0 or the errno of the failure.
int write_all(int fd, std::string_view text);

// Writes all of `bytes` from byte `offset` on, without moving the file's position; returns 0 or the
// errno of the failure.
int write_at(int fd, std::span<const std::byte> bytes, std::uint64_t offset);

// Reads all of `bytes` from byte `offset` on; returns 0, an errno, or -1 at the end of the file.
int read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset);

// Has the system begin to write what it holds of the file to the disk; waits for nothing, tells no
// error (the sync of commit_file does).
void start_writeback(int fd);

// Reserves the first `bytes` of the file on the disk, so that a full disk shows now and not hours
// later. Returns 0 or errno; 0 as well on file systems that cannot reserve.
int reserve_bytes(int fd, std::uint64_t bytes);

// Flushes `partial` to the disk, renames it to `path`, and flushes the directory entry. Throws
// ResourceError that names `path`; `partial` is then left to the caller.
void commit_file(const std::filesystem::path& partial, const std::filesystem::path& path,
                 std::uint64_t bytes);

// `path` + ".partial": the name of a file that is still being written.
std::filesystem::path partial_name(const std::filesystem::path& path);

}  // namespace lbm::io
