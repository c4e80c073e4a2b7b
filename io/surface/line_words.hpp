// SPDX-License-Identifier: Apache-2.0

// Words and numbers of text files.
#pragma once

#include <cstdint>
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
std::optional<std::int64_t> whole_number_of(std::string_view word);

// The text from `position` to the end of its line, without spaces at both ends. Moves the position
// to that end.
std::string_view rest_of_line(std::string_view text, std::size_t& position);

// Splits a text into lines, and lines into words. `name` begins all messages, before the number of
// the line. Text and name must outlive it.
class LineWords {
 public:
  LineWords(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  // False at the end of the text.
  bool next_line();
  // Empty at the end of the line. A '#' begins a comment; a '\' at the end of a line joins it with
  // the next one.
  std::string_view next_word();
  // The rest of the line, without spaces at both ends.
  std::string_view rest() { return rest_of_line(text_, position_); }
  // The next word of the text, on whichever line; empty at the end of the text.
  std::string_view next_word_of_text();

  std::size_t position() const { return position_; }
  [[noreturn]] void fail(const std::string& what) const;

 private:
  bool skip_spaces();  // false at the end of the line
  bool joins_lines(std::size_t at) const;

  std::string_view text_;
  const std::string& name_;
  std::size_t position_ = 0;
  std::int64_t line_ = 0;
  bool begun_ = false;
};

}  // namespace lbm::io
