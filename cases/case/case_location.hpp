// SPDX-License-Identifier: Apache-2.0

// Origin of a value of a case, for messages.
#pragma once

#include <string>

#include "cases/case/case.hpp"

namespace lbm::cases {

// "cavity.yaml:12: fluid.reynolds"; "--set fluid.reynolds" for a value from the command line;
// "cavity.yaml: fluid.reynolds" for a missing key (with the line of the nearest enclosing map, if
// any); "case.fluid.reynolds" for a case built in code.
std::string where(const Case& lbm_case, const std::string& key);

// Name of the case itself: its file, or "case".
std::string name_in_messages(const Case& lbm_case);

}  // namespace lbm::cases
