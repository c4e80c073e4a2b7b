// SPDX-License-Identifier: Apache-2.0
#include "cases/case/scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace lbm::cases {
namespace {

// std::from_chars refuses the leading plus that people write.
std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return plus ? text.substr(1) : text;
}

// Sets `value` if the whole text is one number; otherwise returns the reason.
template <class Number>
std::errc from_text(std::string_view text, Number& value) {
  text = without_plus(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() && !text.empty() ? error : std::errc::invalid_argument;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::optional<double> unit_bytes(std::string_view unit) {
  static const std::array<std::pair<const char*, double>, 10> units{{{"", 1.0},
                                                                     {"b", 1.0},
                                                                     {"kb", 1e3},
                                                                     {"mb", 1e6},
                                                                     {"gb", 1e9},
                                                                     {"tb", 1e12},
                                                                     {"kib", 0x1p10},
                                                                     {"mib", 0x1p20},
                                                                     {"gib", 0x1p30},
                                                                     {"tib", 0x1p40}}};
  const std::string wanted = lower(unit);
  for (const auto& [name, bytes] : units) {
    if (wanted == name) return bytes;
  }
  return std::nullopt;
}

// Bytes of the UTF-8 character that the text begins with; 0 if there is none, or it is a control
// character. (Unicode 15, table 3-7.)
std::size_t printable_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const auto is_in = [](unsigned value, unsigned low, unsigned high) {
    return value >= low && value <= high;
  };
  const auto follows = [&](std::size_t i) { return is_in(byte(i), 0x80, 0xbf); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  if (first == 0xc2) return is_in(byte(1), 0xa0, 0xbf) ? 2 : 0;  // below: control characters
  if (is_in(first, 0xc3, 0xdf)) return follows(1) ? 2 : 0;
  if (is_in(first, 0xe0, 0xef)) {
    const bool second = is_in(byte(1), first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second && follows(2) ? 3 : 0;
  }
  if (is_in(first, 0xf0, 0xf4)) {
    const bool second = is_in(byte(1), first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  if (from_text(text, value) != std::errc{} || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_number_out_of_range(std::string_view text) {
  double value = 0;
  return from_text(text, value) == std::errc::result_out_of_range;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  std::int64_t whole = 0;
  if (from_text(text, whole) == std::errc{}) return whole;
  // Above 2^53, a double cannot represent every whole number.
  const auto number = parse_number(text);
  if (!number || *number != std::floor(*number) || std::abs(*number) > 0x1p53) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  // The exponent of "1e9" is no unit.
  std::size_t split = text.size();
  while (split > 0 && std::isalpha(static_cast<unsigned char>(text[split - 1]))) --split;
  const auto unit = unit_bytes(text.substr(split));
  std::string_view digits = text.substr(0, split);
  while (!digits.empty() && digits.back() == ' ') digits.remove_suffix(1);
  const auto number = parse_number(digits);
  if (!number || !unit) return std::nullopt;
  const double bytes = std::floor(*number * *unit);
  if (!(bytes >= 1 && bytes <= 1e18)) return std::nullopt;
  return static_cast<std::uint64_t>(bytes);
}

std::string double_quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string one_line(std::string_view text, std::size_t max_length) {
  std::string result;
  while (!text.empty()) {
    const std::size_t bytes = printable_bytes(text);
    const std::size_t taken = std::max<std::size_t>(bytes, 1);
    if (result.size() + taken > max_length) return result + "...";
    result += bytes > 0 ? text.substr(0, bytes) : "?";
    text.remove_prefix(taken);
  }
  return result;
}

}  // namespace lbm::cases
