// SPDX-License-Identifier: Apache-2.0
#include "io/surface/line_words.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

std::string shown(std::string_view word) {
  std::string text(word.substr(0, 40));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

void refuse_utf16(std::string_view head, const std::string& name) {
  const auto zero = [&](std::size_t i) { return head[i] == '\0'; };
  const bool marked = head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff");
  if (!marked &&
      (head.size() < 4 || zero(0) == zero(1) || zero(0) != zero(2) || zero(1) != zero(3)))
    return;
  throw UsageError(name + ": is text in UTF-16, two bytes a letter: save it as UTF-8 or ASCII");
}

void end_lines(std::string& text, std::size_t end) {
  for (std::size_t i = text.find('\r'); i < end; i = text.find('\r', i + 1))
    if (i + 1 == text.size() || text[i + 1] != '\n') text[i] = '\n';
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

bool is_coordinate(double x) { return std::fabs(x) <= std::numeric_limits<float>::max(); }

std::string_view rest_of_line(std::string_view text, std::size_t& position) {
  const std::size_t begin = position;
  while (position < text.size() && text[position] != '\n') ++position;
  std::string_view line = text.substr(begin, position - begin);
  while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
  while (!line.empty() && is_space(line.back())) line.remove_suffix(1);
  return line;
}

}  // namespace lbm::io
