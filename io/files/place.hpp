// SPDX-License-Identifier: Apache-2.0

// Files: descriptors, places where files are written, and files that are complete or absent.
#pragma once

#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

// Device and inode tell an open file from all others; {} if `fd` is not open.
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

// A directory, held by its descriptor: files are made in it also after it was renamed, and never in
// another directory that takes its name.
class HeldDirectory {
 public:
  // The directory itself may be a symbolic link. Throws ResourceError.
  explicit HeldDirectory(std::filesystem::path path);

  int fd() const { return fd_.get(); }
  const std::filesystem::path& path() const { return path_; }
  // True if path() still leads to this directory.
  bool is_at_its_path() const;
  // path(), or where the directory has moved to, as far as the system knows.
  std::filesystem::path present_path() const;
  // Names of the entries, sorted. Throws ResourceError.
  std::vector<std::string> names() const;
  bool has_subdirectory(const std::string& name) const;

 private:
  std::filesystem::path path_;
  UniqueFd fd_;
};

// Symbolic links are never followed to the file itself.
class Place {
 public:
  Place() = default;
  Place(std::filesystem::path path) : name_(path.string()), path_(std::move(path)) {}
  Place(const char* path) : Place(std::filesystem::path(path)) {}
  Place(const std::string& path) : Place(std::filesystem::path(path)) {}
  Place(std::shared_ptr<const HeldDirectory> directory, std::string name);

  // For messages and names; also leads to the file as long as its directory is not renamed.
  const std::filesystem::path& path() const { return path_; }
  // The same with an ending; keeps dots in the name.
  Place with_ending(std::string_view ending) const;

  // As open(), with O_CLOEXEC and O_NOFOLLOW. Invalid on errors (errno).
  UniqueFd open(int flags) const;
  // Creates the file for reading and writing; first removes a file or link of that name. Invalid on
  // errors (errno).
  UniqueFd create() const;
  // Both return 0 or an errno.
  int remove() const;
  int rename_to(const Place& other) const;
  // Flushes the entry of the file in its directory. Returns 0 or an errno; 0 also where that cannot
  // be done: on some network file systems, or in a directory that may not be read.
  int sync_directory() const;

 private:
  int directory_fd() const;

  std::shared_ptr<const HeldDirectory> directory_;  // null: of a plain path
  std::string name_;                                // in the directory; or the plain path
  std::filesystem::path path_;
};

// A path to an open file, for libraries that open files by name.
std::filesystem::path path_of_open(int fd, const std::filesystem::path& otherwise);

// Throws ResourceError, one line: path, text of `error` (an errno), bytes needed (0: unknown) and
// free, remedy.
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int error,
                                    std::uint64_t bytes_needed);

// An unfinished file: `<place>.partial`, which the destructor removes unless it was committed.
class PartialFile {
 public:
  // Creates the file. Throws ResourceError.
  explicit PartialFile(const Place& place);

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
  struct Remover {
    void operator()(Place* partial) const;
  };
  Place place_;
  std::unique_ptr<Place, Remover> partial_;  // null after commit()
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

// For a file that the user named for results, before the work whose results it takes. Throws
// UsageError, which starts with the option, where `file` cannot be a new file, or exists and
// may not be overwritten. Leaves no file behind.
void check_output_file(std::string_view option, const std::filesystem::path& file, bool overwrite);

}  // namespace lbm::io
