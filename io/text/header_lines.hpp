// SPDX-License-Identifier: Apache-2.0

// Headers of text before data: lines KEY separator VALUE.
#pragma once

#include <charconv>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

// Part of a file for a message: at most 100 bytes, printable ASCII only.
std::string printable(std::string_view text);
// Without spaces, tabs and carriage returns at both ends.
std::string_view trimmed(std::string_view text);
std::string small_letters(std::string_view text);
// Words apart by spaces.
std::vector<std::string_view> words_in(std::string_view text);

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

// Keys in small letters. Comments, lines without the separator, and lines KEY:=VALUE (what NRRD
// keeps for other programs) are skipped.
class HeaderLines {
 public:
  // Reads up to an empty line, or to one with the key `last`. text: the first bytes of the file, at
  // least most_bytes unless it is shorter. Throws UsageError, one line that begins with the path,
  // for a key with two values, and for a header that does not end within most_bytes.
  HeaderLines(const std::filesystem::path& path, std::string_view text, std::string_view separator,
              std::string_view last);

  static constexpr std::size_t most_bytes = 65536;

  std::string_view get(std::string_view key) const;       // empty if there is none
  std::string_view required(std::string_view key) const;  // throws UsageError if there is none
  std::size_t end() const { return end_; }                // of the last line, in bytes

 private:
  const std::filesystem::path& path_;
  std::map<std::string, std::string, std::less<>> values_;
  std::size_t end_ = 0;
};

}  // namespace lbm::io
