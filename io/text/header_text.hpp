// SPDX-License-Identifier: Apache-2.0

// Texts in the headers of files.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

// Part of a file for a message: at most 100 bytes, printable ASCII only.
std::string printable(std::string_view text);
// Without spaces, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);
std::string small_letters(std::string_view text);

// Numbers apart by commas, spaces or tabs; empty if anything else is among them.
template <class T>
std::vector<T> numbers_in(std::string_view text) {
  std::vector<T> numbers;
  const char *at = text.data(), *end = text.data() + text.size();
  while (at != end) {
    if (*at == ' ' || *at == ',' || *at == '\t') {
      ++at;
      continue;
    }
    T number{};
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    at = next;
  }
  return numbers;
}

}  // namespace lbm::io
