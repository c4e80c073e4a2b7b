// SPDX-License-Identifier: Apache-2.0

// Checks of options, as CLI11 wants them: why the value is refused; empty: it is fine.
#pragma once

#include <string>

namespace lbm::cases {

// `--out "$DIR"` where DIR is not set.
inline std::string not_empty_directory(const std::string& name) {
  return name.empty() ? "found an empty name, must be a directory" : "";
}

inline std::string not_empty_file(const std::string& name) {
  return name.empty() ? "found an empty name, must be a file" : "";
}

}  // namespace lbm::cases
