// SPDX-License-Identifier: Apache-2.0
#include "io/files/sync.hpp"

#include <unistd.h>

#include <cerrno>

namespace lbm::io {

int sync_to_disk(int fd) {
  int result = 0;
  do {
    result = ::fsync(fd) == 0 ? 0 : errno;
  } while (result == EINTR);  // network file systems, FUSE
  return result;
}

}  // namespace lbm::io
