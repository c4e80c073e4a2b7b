// SPDX-License-Identifier: Apache-2.0

// Words and numbers of text files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lbm::io {

// Ignores case.
bool same_word(std::string_view a, std::string_view b);

// Part of a file for a message: at most 40 bytes, printable ASCII only.
std::string shown(std::string_view word);

// Throws UsageError, one line that begins with `name`, for a text of two bytes a letter.
void refuse_utf16(std::string_view head, const std::string& name);

// Ends all lines by '\n' alone that '\r' alone ends, up to `end`.
void end_lines(std::string& text, std::size_t end);

// The whole word as a number; infinite where a double cannot hold it. Empty for other text.
std::optional<double> number_of(std::string_view word);
// True if x is in the range of single precision, as all coordinates of binary STL are.
bool is_coordinate(double x);

// The text from `position` to the end of its line, without spaces at both ends. Moves the position
// to that end.
std::string_view rest_of_line(std::string_view text, std::size_t& position);

}  // namespace lbm::io
