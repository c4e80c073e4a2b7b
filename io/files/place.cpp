// SPDX-License-Identifier: Apache-2.0
#include "io/files/place.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/files/descriptor.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace fs = std::filesystem;

namespace {

std::string link_of(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

}  // namespace

HeldDirectory::HeldDirectory(fs::path path)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (fd_.valid()) return;
  const int error = errno;
  throw ResourceError(fmt::format("{}: cannot open the directory: {}{}", path_.string(),
                                  std::strerror(error),
                                  remedy_of(error, "; check its permissions")));
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
  // A descriptor of its own: reading moves its position.
  UniqueFd listing(::openat(fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, CloseDirectory> entries(listing.valid() ? ::fdopendir(listing.get())
                                                                     : nullptr);
  if (!entries) {
    const int error = errno;
    throw ResourceError(fmt::format("{}: cannot list the directory: {}{}", path_.string(),
                                    std::strerror(error),
                                    remedy_of(error, "; check its permissions")));
  }
  (void)listing.release();  // closed by closedir()
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool HeldDirectory::has_subdirectory(const std::string& name) const {
  struct stat status {};
  return ::fstatat(fd(), name.c_str(), &status, 0) == 0 && S_ISDIR(status.st_mode);
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

}  // namespace lbm::io
