// SPDX-License-Identifier: Apache-2.0

// Words and numbers in text that anybody may have written.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

// Part of a file for a message: at most so many bytes, printable ASCII only.
std::string printable(std::string_view text, std::size_t most = 100);
// Without spaces, tabs, form feeds and carriage returns at both ends.
std::string_view trimmed(std::string_view text);
std::string small_letters(std::string_view text);
// Ignores case.
bool same_word(std::string_view a, std::string_view b);

// The whole word as a number; infinite where a double cannot hold it. Empty for other text.
std::optional<double> number_of(std::string_view word);

// Numbers apart by commas, spaces or tabs; empty if anything else is among them.
template <class T>
std::vector<T> numbers_in(std::string_view text) {
  std::vector<T> numbers;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    if (*at == ' ' || *at == ',' || *at == '\t') {
      ++at;
      continue;
    }
    const auto [next, error] = std::from_chars(at, end, numbers.emplace_back());
    if (error != std::errc()) return {};
    at = next;
  }
  return numbers;
}

}  // namespace lbm::io
