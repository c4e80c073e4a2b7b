// Where a value of a case came from, for messages.
#pragma once

#include <string>

#include "cases/case/case.hpp"

namespace lbm::cases {

// "cavity.yaml:12: fluid.reynolds", "--set fluid.reynolds" for a value of the command line,
// "cavity.yaml: fluid.reynolds" for a key that was not given (then with the line of the nearest
// enclosing map, if the file has that), or "case.fluid.reynolds" for a case that no file gave.
std::string where(const Case& lbm_case, const std::string& key);

// What messages call the case itself: its file, or "case".
std::string name_in_messages(const Case& lbm_case);

}  // namespace lbm::cases
