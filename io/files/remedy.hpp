// SPDX-License-Identifier: Apache-2.0

// Remedies in messages about files.
#pragma once

#include <cerrno>
#include <string_view>

namespace lbm::io {

// Remedy for an errno, as the end of a message; `usual` for an errno without a special remedy.
inline std::string_view remedy_of(int error, std::string_view usual) {
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

}  // namespace lbm::io
