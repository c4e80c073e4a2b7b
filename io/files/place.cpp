// SPDX-License-Identifier: Apache-2.0
#include "io/files/place.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <system_error>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

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

std::string link_of(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

[[noreturn]] void cannot(const char* what, const fs::path& path, int error) {
  throw ResourceError(fmt::format("{}: cannot {} the directory: {}{}", path.string(), what,
                                  std::strerror(error),
                                  remedy_of(error, "; check its permissions")));
}

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

std::string_view remedy_of(int error, std::string_view usual) {
  if (error == EMFILE) return "; raise the limit on open files (ulimit -n)";
  if (error == ENFILE) return "; this machine has too many open files: close programs";
  return error == EACCES || error == EPERM ? "; check its permissions" : usual;
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

HeldDirectory::HeldDirectory(fs::path path)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!fd_.valid()) cannot("open", path_, errno);
}

bool HeldDirectory::is_at_its_path() const {
  const UniqueFd named(::open(path_.c_str(), O_PATH | O_CLOEXEC));
  return named.valid() && identity_of(named.get()) == identity_of(fd());
}

fs::path HeldDirectory::present_path() const {
  if (is_at_its_path()) return path_;
  std::error_code ec;
  fs::path now = fs::read_symlink(link_of(fd()), ec);
  return ec || !fs::is_directory(now, ec) ? path_ : now;
}

std::vector<std::string> HeldDirectory::names() const {
  std::vector<std::string> names;
  std::error_code ec;
  fs::directory_iterator entries(path_of_open(fd(), path_), ec);
  for (; !ec && entries != fs::directory_iterator(); entries.increment(ec))
    names.push_back(entries->path().filename().string());
  if (ec) cannot("list", path_, ec.value());
  std::sort(names.begin(), names.end());
  return names;
}

bool HeldDirectory::has_subdirectory(const std::string& name) const {
  std::error_code ec;
  return fs::is_directory(path_of_open(fd(), path_) / name, ec);
}

Place::Place(std::shared_ptr<const HeldDirectory> directory, std::string name)
    : directory_(std::move(directory)), name_(std::move(name)), path_(directory_->path() / name_) {}

Place Place::with_ending(std::string_view ending) const {
  Place other = *this;
  other.name_ += ending;
  other.path_ += ending;
  return other;
}

int Place::directory_fd() const { return directory_ ? directory_->fd() : AT_FDCWD; }

UniqueFd Place::open(int flags) const {
  return UniqueFd(::openat(directory_fd(), name_.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0666));
}

UniqueFd Place::create() const {
  constexpr int tries = 5;  // another process may make the file again
  UniqueFd fd = open(O_RDWR | O_CREAT | O_EXCL);
  for (int i = 0; i < tries && !fd.valid() && errno == EEXIST; ++i) {
    if (const int error = remove(); error != 0 && error != ENOENT) {
      errno = error;
      return fd;
    }
    fd = open(O_RDWR | O_CREAT | O_EXCL);
  }
  return fd;
}

int Place::remove() const { return ::unlinkat(directory_fd(), name_.c_str(), 0) == 0 ? 0 : errno; }

int Place::rename_to(const Place& other) const {
  return ::renameat(directory_fd(), name_.c_str(), other.directory_fd(), other.name_.c_str()) == 0
             ? 0
             : errno;
}

int Place::sync_directory() const {
  UniqueFd opened;
  if (!directory_) {
    const fs::path parent = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    opened = UniqueFd(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened.valid()) return 0;
  }
  const int error = sync_to_disk(directory_ ? directory_->fd() : opened.get());
  return error == EINVAL || error == ENOTSUP ? 0 : error;
}

fs::path path_of_open(int fd, const fs::path& otherwise) {
  const std::string link = link_of(fd);
  return ::access(link.c_str(), F_OK) == 0 ? fs::path(link) : otherwise;
}

void throw_write_error(const fs::path& path, int error, std::uint64_t bytes_needed) {
  std::string line = fmt::format("{}: cannot write: {}", path.string(),
                                 error != 0 ? std::strerror(error) : "unknown error");
  if (bytes_needed > 0) line += fmt::format("; the file needs {}", human_bytes(bytes_needed));
  if (const auto free = free_disk_bytes(path))
    line += fmt::format("{} {} free on its disk", bytes_needed > 0 ? "," : ";", human_bytes(*free));
  throw ResourceError(fmt::format("{}{}", line, remedy_of_writing(error)));
}

PartialFile::PartialFile(const Place& place)
    : place_(place), partial_(new Place(place.with_ending(".partial"))), fd_(partial_->create()) {
  if (!fd_.valid()) throw_write_error(place_.path(), errno, 0);
  identity_ = identity_of(fd_.get());
}

void PartialFile::Remover::operator()(Place* partial) const {
  (void)partial->remove();
  delete partial;
}

void PartialFile::commit_as(const Place& place, std::uint64_t bytes) {
  const auto check = [&](int error) {
    if (error != 0) throw_write_error(place.path(), error, bytes);
  };
  const UniqueFd fd = partial_->open(O_RDONLY);
  if (!fd.valid()) check(errno);
  check(identity_of(fd.get()) == identity_ ? sync_to_disk(fd.get()) : ESTALE);
  check(partial_->rename_to(place));
  delete partial_.release();
  check(place.sync_directory());
}

void write_file_atomically(const Place& place, std::string_view text) {
  PartialFile file(place);
  const UniqueFd fd = file.take_fd();
  if (const int error = write_all(fd.get(), text)) {
    throw_write_error(place.path(), error, text.size());
  }
  file.commit(text.size());
}

std::optional<std::uint64_t> free_disk_bytes(const fs::path& path) {
  std::error_code ec;
  fs::path there = fs::absolute(path, ec);
  while (!fs::exists(there, ec) && there.has_relative_path()) there = there.parent_path();
  struct statvfs info {};
  if (::statvfs(there.c_str(), &info) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize;
}

namespace {

[[noreturn]] void refuse(std::string_view option, const fs::path& file, const std::string& why) {
  throw UsageError(fmt::format("{} {}: {}", option, file.string(), why));
}

}  // namespace

void check_output_file(std::string_view option, const fs::path& file, bool overwrite) {
  std::error_code ec;
  if (!file.has_filename()) {
    refuse(option, file,
           fmt::format("no file name; give one, as {}.json", option.substr(option.rfind('-') + 1)));
  }
  const fs::path parent = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, ec)) {
    refuse(option, file,
           fmt::format("there is no directory {}; create it, or choose another file",
                       parent.string()));
  }
  const bool exists = fs::exists(file, ec);
  if (exists && !fs::is_regular_file(file, ec)) {
    refuse(option, file, "is no regular file; choose another one");
  }
  if (exists && !overwrite) {
    refuse(option, file, "exists; add --overwrite to replace it, or choose another file");
  }
  try {
    (void)PartialFile(file);
  } catch (const ResourceError& error) {
    refuse(option, file, error.what());
  }
}

}  // namespace lbm::io
