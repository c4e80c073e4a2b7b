// SPDX-License-Identifier: Apache-2.0
#include "io/text/words.hpp"

#include <strings.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace lbm::io {

std::string printable(std::string_view text, std::size_t most) {
  std::string line(text.substr(0, most));
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return line;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\f\v";
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  return text.substr(0, text.find_last_not_of(spaces) + 1);
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

bool same_word(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return std::nullopt;
  // Too large or too small: only strtod tells which, by infinity or zero.
  if (error == std::errc::result_out_of_range)
    return std::strtod(std::string(word).c_str(), nullptr);
  return value;
}

}  // namespace lbm::io
