// SPDX-License-Identifier: Apache-2.0

// Files that the user names, small texts and files of data; words and numbers in text that anybody
// may have written.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbm::io {

// The text of a file: at most `most` bytes, and one more of a longer file, /dev/zero included. Does
// not wait for anybody to write: a FIFO in a directory is refused. Pipes that a shell has opened,
// such as <(command), are read to their end. name, kind: for messages, such as "case file".
// Throws UsageError, one line.
std::string read_input(const std::filesystem::path& path, std::string_view name,
                       std::string_view kind, std::size_t most);

// Files of data. All throw UsageError, one line that begins with the path.

[[noreturn]] void refuse_file(const std::filesystem::path& path, std::string_view what);
// error: an errno, or -1 where a file ends before the bytes that it had when it was opened.
[[noreturn]] void cannot_read(const std::filesystem::path& path, int error);

// The bytes of a regular file that has some. wanted: what to give instead of something else, such
// as "the path of an STL file".
std::uint64_t size_of_file(const std::filesystem::path& path, std::string_view wanted);

// The first bytes of a file that has at least as many.
std::string first_bytes(const std::filesystem::path& path, std::uint64_t count);

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
