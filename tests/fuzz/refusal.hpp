// SPDX-License-Identifier: Apache-2.0

// The ways in which a reader may refuse bytes.
#pragma once

#include <stdexcept>
#include <string>

#include "solver/core/error.hpp"

namespace lbm::fuzz {

inline void require(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

// True if read() returns, false if it throws a UsageError of one line. Passes on other exceptions;
// a UsageError of no line or several becomes a std::logic_error.
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
