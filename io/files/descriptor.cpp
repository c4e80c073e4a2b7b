// SPDX-License-Identifier: Apache-2.0
#include "io/files/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <random>
#include <system_error>

namespace lbm::io {
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

// Calls act() again while a signal ends it: network file systems, FUSE. Returns 0 or an errno.
template <class Act>
int until_done(Act act) {
  int result = EINTR;
  while (result == EINTR) result = act() == 0 ? 0 : errno;
  return result;
}

}  // namespace

std::string_view remedy_of(int error, std::string_view usual) {
  switch (error) {
    case EMFILE:
      return "; raise the limit on open files (ulimit -n)";
    case ENFILE:
      return "; this machine has too many open files: close programs";
    case EACCES:
    case EPERM:
      return "; check its permissions";
    default:
      return usual;
  }
}

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

int reserve_bytes(int fd, std::uint64_t bytes) {
  // Not posix_fallocate(), which writes every block if the file system cannot reserve.
  const int result = until_done([=] { return ::fallocate(fd, 0, 0, static_cast<off_t>(bytes)); });
  return result == EOPNOTSUPP || result == ENOSYS ? 0 : result;
}

int sync_to_disk(int fd) {
  return until_done([fd] { return ::fsync(fd); });
}

FileIdentity identity_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return {};
  return {status.st_dev, status.st_ino};
}

void start_writeback(int fd) { (void)::sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); }

int write_token(int fd, std::uint64_t offset, FileToken& token) {
  std::random_device random;
  for (std::uint64_t& word : token.value) word = std::uint64_t{random()} << 32 | random();
  token.offset = offset;
  if (const int error = write_at(fd, std::as_bytes(std::span(token.value)), offset)) return error;
  return sync_to_disk(fd);
}

UniqueFd open_with_token(const std::filesystem::path& path, const FileToken& token) {
  UniqueFd file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid()) return {};
  std::array<std::uint64_t, 2> found{};
  const auto bytes = std::as_writable_bytes(std::span(found));
  if (read_at(file.get(), bytes, token.offset) != 0 || found != token.value) return {};
  return file;
}

std::filesystem::path path_for_others(const std::filesystem::path& path) {
  std::error_code ec;
  auto whole = std::filesystem::absolute(path, ec);
  return ec ? path : whole;
}

}  // namespace lbm::io
