// SPDX-License-Identifier: Apache-2.0
#include "io/files/atomic_file.hpp"

#include "io/files/posix_file.hpp"

namespace lbm::io {

void write_file_atomically(const Place& place, std::string_view text) {
  PartialFile file(place);
  const UniqueFd fd = file.take_fd();
  if (const int error = write_all(fd.get(), text)) {
    throw_write_error(place.path(), error, text.size());
  }
  file.commit(text.size());
}

}  // namespace lbm::io
