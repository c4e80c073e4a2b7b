// SPDX-License-Identifier: Apache-2.0

// What readers may do with bytes that they do not like.
#pragma once

#include <stdexcept>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::fuzz {

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

// Whether read() accepts; false for a UsageError of one line. Passes on every other exception.
template <class Read>
bool accepts(const Read& read) {
  try {
    read();
    return true;
  } catch (const UsageError& error) {
    const std::string line = error.what();
    require(!line.empty() && line.find('\n') == std::string::npos, "not one line: " + line);
    return false;
  }
}

}  // namespace lbm::fuzz
