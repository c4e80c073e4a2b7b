#include "io/files/posix_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "io/files/disk.hpp"
#include "solver/core/error.hpp"
#include "solver/core/human_bytes.hpp"

namespace lbm::io {

UniqueFd& UniqueFd::operator=(UniqueFd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void UniqueFd::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

namespace {

const char* remedy_of(int error) {
  if (error == ENOSPC || error == EDQUOT) {
    return "; free some space there, or choose a directory on another disk";
  }
  if (error == EFBIG) return "; raise the limit on file sizes (ulimit -f)";
  return "; check the directory, or choose another one";
}

}  // namespace

void throw_write_error(const std::filesystem::path& path, int error, std::uint64_t bytes_needed) {
  std::string line = fmt::format("{}: cannot write: {}", path.string(),
                                 error != 0 ? std::strerror(error) : "unknown error");
  if (bytes_needed > 0) line += fmt::format("; the file needs {}", human_bytes(bytes_needed));
  if (const auto free = try_free_disk_bytes(path))
    line += fmt::format("{} {} free on its disk", bytes_needed > 0 ? "," : ";", human_bytes(*free));
  throw ResourceError(line + remedy_of(error));
}

UniqueFd create_file(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!fd.valid()) throw_write_error(path, errno, 0);
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

namespace {

int sync_and_close(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid() || ::fsync(fd.get()) != 0) return errno;
  return 0;
}

}  // namespace

PartialFile::~PartialFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

void commit_file(const std::filesystem::path& partial, const std::filesystem::path& path,
                 std::uint64_t bytes) {
  if (const int error = sync_and_close(partial)) throw_write_error(path, error, bytes);
  if (::rename(partial.c_str(), path.c_str()) != 0) throw_write_error(path, errno, bytes);
  const auto parent = path.parent_path();
  // Some network file systems cannot sync a directory; the file itself is already safe.
  (void)sync_and_close(parent.empty() ? "." : parent);
}

std::filesystem::path with_ending(std::filesystem::path stem, std::string_view ending) {
  return stem += ending;
}

std::filesystem::path partial_name(const std::filesystem::path& path) {
  return with_ending(path, ".partial");
}

}  // namespace lbm::io
