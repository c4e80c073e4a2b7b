// Owned file descriptors, and file operations that report every failure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

namespace lbm::io {

// Owns one file descriptor and closes it in the destructor. Errors of that close are lost; results
// use commit_file(), which syncs first.
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

// Throws ResourceError, one line: path, text of `error` (an errno), bytes needed (0: unknown) and
// free, remedy.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error,
                                    std::uint64_t bytes_needed);

// Creates or truncates `path`. Throws ResourceError.
UniqueFd create_file(const std::filesystem::path& path);

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

// Flushes `partial`, renames it to `path`, and flushes the directory entry. Throws ResourceError
// naming `path`; the caller removes `partial` then.
void commit_file(const std::filesystem::path& partial, const std::filesystem::path& path,
                 std::uint64_t bytes);

// `stem` + `ending`. Unlike replace_extension(), keeps dots in names of outputs.
std::filesystem::path with_ending(std::filesystem::path stem, std::string_view ending);
// `path` + ".partial": the name of an unfinished file.
std::filesystem::path partial_name(const std::filesystem::path& path);

// An unfinished file, partial_name(path); the destructor removes it unless it was committed.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& path) : path_(partial_name(path)) {}
  PartialFile(PartialFile&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PartialFile& operator=(PartialFile&&) = delete;
  ~PartialFile();
  const std::filesystem::path& path() const { return path_; }

  void commit(const std::filesystem::path& name, std::uint64_t bytes) {
    commit_file(path_, name, bytes);
    path_.clear();
  }

 private:
  std::filesystem::path path_;  // empty after commit()
};

}  // namespace lbm::io
