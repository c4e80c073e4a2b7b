// SPDX-License-Identifier: Apache-2.0

// One line of `lbm doctor`.
#pragma once

#include <string>
#include <vector>

#include "solver/core/enum_names.hpp"

namespace lbm::cases::doctor {

enum class Verdict {
  ok,
  fallback,  // it works, but not in the best way
  refused,   // something cannot be used
};

constexpr auto enum_names(Verdict) { return std::array{"OK", "FALLBACK", "REFUSED"}; }

struct Check {
  Verdict verdict = Verdict::ok;
  std::string name;     // such as "host memory"
  std::string finding;  // what was found, and where it is not OK, what that means
  std::string remedy;   // what to do; empty for OK
  bool fatal = false;   // no run can start
};

using Checks = std::vector<Check>;

}  // namespace lbm::cases::doctor
