// SPDX-License-Identifier: Apache-2.0

// Suggestions for misspelt keys.
#pragma once

#include <string>

namespace lbm::cases {

// The key or group nearest to `wanted` by edit distance of whole paths or of last names ("reynolds"
// finds "fluid.reynolds"); empty if none is near.
std::string nearest_key(const std::string& wanted);

}  // namespace lbm::cases
