// SPDX-License-Identifier: Apache-2.0

// Suggestions for misspelt keys.
#pragma once

#include <optional>
#include <string>

namespace lbm::cases {

// The key or group nearest to `wanted` by edit distance of whole paths or of last names ("reynolds"
// finds "fluid.reynolds"); empty if none is near.
std::string nearest_key(const std::string& wanted);

// The key that other programs call so: "nu" is fluid.viscosity. Ignores case.
std::optional<std::string> key_of_other_programs(const std::string& word);

// The value that they call so, if it is among the allowed ones ("wall, periodic, ..."): "noslip" is
// "wall". Ignores case.
std::optional<std::string> value_of_other_programs(const std::string& word,
                                                   const std::string& allowed);

}  // namespace lbm::cases
