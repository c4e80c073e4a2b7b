// SPDX-License-Identifier: Apache-2.0
#include "cases/case/yaml/odd_characters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace lbm::cases {
namespace {

struct Odd {
  std::string_view bytes, name, instead;
};
constexpr std::array<Odd, 16> look_alikes{
    {{"\u2212", "U+2212 (minus sign)", "type -"},
     {"\u2010", "U+2010 (hyphen)", "type -"},
     {"\u2011", "U+2011 (no-break hyphen)", "type -"},
     {"\u2013", "U+2013 (en dash)", "type -"},
     {"\u2014", "U+2014 (em dash)", "type -"},
     {"\u00a0", "U+00A0 (no-break space)", "type a space"},
     {"\u2009", "U+2009 (thin space)", "type a space"},
     {"\u202f", "U+202F (narrow no-break space)", "type a space"},
     {"\u3000", "U+3000 (ideographic space)", "type a space"},
     {"\u200b", "U+200B (zero width space)", "remove it"},
     {"\ufeff", "U+FEFF (byte order mark)", "remove it"},
     {"\u201c", "U+201C (quotation mark)", "type \""},
     {"\u201d", "U+201D (quotation mark)", "type \""},
     {"\u2018", "U+2018 (quotation mark)", "type '"},
     {"\u2019", "U+2019 (quotation mark)", "type '"},
     {"\uff1a", "U+FF1A (fullwidth colon)", "type :"}}};

// Line `number`, from 1, without its comment.
std::string_view line_of(std::string_view text, std::size_t number) {
  for (std::size_t i = 1; i < number; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return "";
    text.remove_prefix(end + 1);
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  return line.substr(0, line.find(" #"));
}

// A path of Windows: "C:\new\x.stl" has a line break.
bool has_escape(std::string_view text) {
  const std::size_t quote = text.find('"');
  return quote != std::string_view::npos && text.find('\\', quote) != std::string_view::npos;
}

}  // namespace

std::string odd_characters(std::string_view text) {
  for (const Odd& odd : look_alikes) {
    if (text.find(odd.bytes) == std::string_view::npos) continue;
    return fmt::format("; there is {}: {}", odd.name, odd.instead);
  }
  if (!has_escape(text)) return "";
  return "; in double quotes \\ begins an escape: write / in paths, or use single quotes";
}

std::string odd_characters_at(const std::string& message, const std::string& text,
                              const std::string& file) {
  if (message.starts_with("--set ")) return odd_characters(message);
  if (!message.starts_with(file + ":")) return "";
  std::size_t line = 0;
  std::from_chars(message.data() + file.size() + 1, message.data() + message.size(), line);
  if (line == 0) return "";
  for (const std::size_t near : {line, line + 1, line - 1}) {
    std::string found = near > 0 ? odd_characters(line_of(text, near)) : "";
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace lbm::cases
