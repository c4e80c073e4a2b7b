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
  const bool cut = text.size() > max_length;
  std::string result(text.substr(0, max_length));
  for (char& c : result) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = '?';
  }
  return cut ? result + "..." : result;
}

}  // namespace lbm::cases
