// SPDX-License-Identifier: Apache-2.0
#include "io/text/header_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "io/files/input_file.hpp"

namespace lbm::io {

std::string printable(std::string_view text) {
  std::string line(text.substr(0, 100));
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  }
  return line;
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return small;
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    words.push_back(text.substr(0, text.find(' ')));
    text.remove_prefix(words.back().size());
  }
  return words;
}

HeaderLines::HeaderLines(const std::filesystem::path& path, std::string_view text,
                         std::string_view separator, std::string_view last)
    : path_(path) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    refuse_file(path, "has a header in UTF-16, two bytes a letter: save it as UTF-8 or ASCII");
  }
  if (text.starts_with("\xef\xbb\xbf")) end_ = 3;
  if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {
    refuse_file(path, "ends its lines by CR alone: save it with lines that end in LF or CR LF");
  }
  while (end_ < text.size()) {
    const std::size_t end = text.find('\n', end_);
    if (end == std::string_view::npos) break;
    const std::string_view line = trimmed(text.substr(end_, end - end_));
    end_ = end + 1;
    if (line.empty()) return;
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos || line.starts_with('#')) continue;
    const std::string_view value = trimmed(line.substr(at + separator.size()));
    if (separator == ":" && value.starts_with('=')) continue;
    const std::string key = small_letters(trimmed(line.substr(0, at)));
    const auto [entry, is_new] = values_.emplace(key, value);
    if (!is_new && entry->second != value) {
      refuse_file(path, fmt::format("its header says {} twice, {} and {}: remove one",
                                    printable(key), printable(entry->second), printable(value)));
    }
    if (key == last) return;
  }
  if (text.size() < most_bytes) return;  // a file that is a header alone
  refuse_file(path, fmt::format("its header does not end within {} bytes", most_bytes));
}

std::string_view HeaderLines::get(std::string_view key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::string_view() : std::string_view(found->second);
}

std::string_view HeaderLines::required(std::string_view key) const {
  const std::string_view value = get(key);
  if (value.empty()) refuse_file(path_, fmt::format("its header has no {}: is it damaged?", key));
  return value;
}

}  // namespace lbm::io
