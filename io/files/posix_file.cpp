// SPDX-License-Identifier: Apache-2.0
#include "io/files/posix_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/files/disk.hpp"
#include "io/files/remedy.hpp"
#include "io/files/sync.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {

namespace {

constexpr const char* partial_ending = ".partial";

std::string_view remedy_of_writing(int error) {
  if (error == ENOSPC || error == EDQUOT) {
    return "; free some space there, or choose a directory on another disk";
  }
  if (error == ELOOP) return "; it is a symbolic link, which lbm does not follow: remove it";
  if (error == ESTALE) return "; another process has replaced its file: write to another directory";
  if (error == EFBIG) return "; raise the limit on file sizes (ulimit -f)";
  return remedy_of(error, "; check the directory, or choose another one");
}

}  // namespace

void throw_write_error(const std::filesystem::path& path, int error, std::uint64_t bytes_needed) {
  std::string line = fmt::format("{}: cannot write: {}", path.string(),
                                 error != 0 ? std::strerror(error) : "unknown error");
  if (bytes_needed > 0) line += fmt::format("; the file needs {}", human_bytes(bytes_needed));
  if (const auto free = try_free_disk_bytes(path))
    line += fmt::format("{} {} free on its disk", bytes_needed > 0 ? "," : ";", human_bytes(*free));
  throw ResourceError(fmt::format("{}{}", line, remedy_of_writing(error)));
}

UniqueFd create_file(const Place& place) {
  UniqueFd fd = place.create();
  if (!fd.valid()) throw_write_error(place.path(), errno, 0);
  return fd;
}

namespace {

// Calls act(data, bytes, offset) until it has taken all. Returns 0, an errno, or -1 at the end of
// the file.
template <class Byte, class Act>
int repeat(std::span<Byte> bytes, std::uint64_t offset, Act act) {
  while (!bytes.empty()) {
    const ssize_t count = act(bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return -1;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

}  // namespace

int write_all(int fd, std::string_view text) {
  return repeat(std::span(text), 0,
                [fd](const char* data, std::size_t n, off_t) { return ::write(fd, data, n); });
}

int write_at(int fd, std::span<const std::byte> bytes, std::uint64_t offset) {
  return repeat(bytes, offset, [fd](const std::byte* data, std::size_t n, off_t at) {
    return ::pwrite(fd, data, n, at);
  });
}

int read_at(int fd, std::span<std::byte> bytes, std::uint64_t offset) {
  return repeat(bytes, offset, [fd](std::byte* data, std::size_t n, off_t at) {
    return ::pread(fd, data, n, at);
  });
}

void start_writeback(int fd) { (void)::sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

int reserve_bytes(int fd, std::uint64_t bytes) {
  int result = 0;
  // Not posix_fallocate(), which writes every block if the file system cannot reserve.
  do {
    result = ::fallocate(fd, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (result == EINTR);
  return result == EOPNOTSUPP || result == ENOSYS ? 0 : result;
}

PartialFile::PartialFile(Place place)
    : place_(std::move(place)),
      partial_(new Place(place_.with_ending(partial_ending))),
      fd_(partial_->create()) {
  if (!fd_.valid()) throw_write_error(place_.path(), errno, 0);
  identity_ = identity_of(fd_.get());
}

void PartialFile::Remover::operator()(Place* partial) const {
  (void)partial->remove();
  delete partial;
}

PartialFile::Identity PartialFile::identity_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

// Returns 0 or an errno.
int PartialFile::sync() const {
  const UniqueFd fd = partial_->open(O_RDONLY);
  if (!fd.valid()) return errno;
  if (identity_of(fd.get()) != identity_) return ESTALE;
  return sync_to_disk(fd.get());
}

void PartialFile::commit_as(const Place& place, std::uint64_t bytes) {
  if (const int error = sync()) throw_write_error(place.path(), error, bytes);
  if (const int error = partial_->rename_to(place)) throw_write_error(place.path(), error, bytes);
  delete partial_.release();
  if (const int error = place.sync_directory()) throw_write_error(place.path(), error, bytes);
}

std::filesystem::path partial_name(const std::filesystem::path& path) {
  return std::filesystem::path(path) += partial_ending;
}

}  // namespace lbm::io
