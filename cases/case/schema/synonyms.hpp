// SPDX-License-Identifier: Apache-2.0

// Words of other programs for keys and values of a case.
#pragma once

#include <optional>
#include <string>

namespace lbm::cases {

// The key that other programs call so: "nu" is fluid.viscosity. Ignores case.
std::optional<std::string> key_of_other_programs(const std::string& word);

// The value that they call so, if it is among the allowed ones ("wall, periodic, ..."): "noslip" is
// "wall". Ignores case.
std::optional<std::string> value_of_other_programs(const std::string& word,
                                                   const std::string& allowed);

}  // namespace lbm::cases
