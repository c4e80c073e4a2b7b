// SPDX-License-Identifier: Apache-2.0
#include "io/files/directory_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace lbm::io {
namespace {

// False if a run that ended removed the file between our open() and flock().
bool still_named(int fd, int directory) {
  struct stat held {};
  struct stat named {};
  return ::fstat(fd, &held) == 0 &&
         ::fstatat(directory, lock_name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
         held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

}  // namespace

UniqueFd lock_directory(const std::shared_ptr<const HeldDirectory>& directory) {
  const Place place(directory, lock_name);
  while (true) {
    UniqueFd fd = place.open(O_RDWR | O_CREAT);
    if (!fd.valid()) throw_write_error(place.path(), errno, 0);
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return {};
      if (errno == EINTR) continue;
      return fd;
    }
    if (still_named(fd.get(), directory->fd())) return fd;
  }
}

void unlock_directory(const std::shared_ptr<const HeldDirectory>& directory, UniqueFd& lock) {
  if (!lock.valid()) return;
  (void)Place(directory, lock_name).remove();
  lock.reset();
}

}  // namespace lbm::io
