// SPDX-License-Identifier: Apache-2.0

// Characters that look like others, as word processors and web pages put them in.
#pragma once

#include <string>
#include <string_view>

namespace lbm::cases {

// The end of a message about `text`: "; there is U+2212 (minus sign): type -". Empty: nothing odd.
std::string odd_characters(std::string_view text);

// The same for the line that a message "FILE:LINE: ..." names, or one next to it, as a fault of
// YAML may begin before or in the map that follows; for a message "--set ..." of its own text.
std::string odd_characters_at(const std::string& message, const std::string& text,
                              const std::string& file);

}  // namespace lbm::cases
