#include "io/files/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace lbm::io {
namespace {

// False if a run that ended removed the file between our open() and flock().
bool still_named(int fd, const std::filesystem::path& path) {
  struct stat held {};
  struct stat named {};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

UniqueFd lock_directory(const std::filesystem::path& directory) {
  const auto path = directory / lock_name;
  while (true) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
    if (!fd.valid()) throw_write_error(path, errno, 0);
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return {};
      if (errno == EINTR) continue;
      return fd;
    }
    if (still_named(fd.get(), path)) return fd;
  }
}

void unlock_directory(const std::filesystem::path& directory, UniqueFd& lock) {
  if (!lock.valid()) return;
  ::unlink((directory / lock_name).c_str());
  lock.reset();
}

}  // namespace lbm::io
