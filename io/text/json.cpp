// SPDX-License-Identifier: Apache-2.0
#include "io/text/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "io/files/input_file.hpp"
#include "solver/core/error.hpp"

namespace lbm::io {
namespace {

constexpr int most_levels = 64;
constexpr std::size_t most_bytes = std::size_t{1} << 26;
const Json null;

std::string printed(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// The shortest digits that read back to the same bits; the library prints more for some values.
std::string number_text(double value) {
  char digits[32];
  const std::string text(std::begin(digits), std::to_chars(digits, std::end(digits), value).ptr);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// Members and nested lists take a line each; a list of plain values stays on one line, as vectors
// are easier to read so. line: "\n" and the indentation of the value.
std::string laid_out(const Json& json, const std::string& line) {
  const auto is_plain = [](const Json& item) { return item.is_primitive(); };
  const bool one_line = json.is_array() && std::ranges::all_of(json, is_plain);
  if (json.is_number_float() && std::isfinite(json.get<double>())) {
    return number_text(json.get<double>());
  }
  if (json.is_primitive() || json.empty()) return printed(json);
  const std::string start = one_line ? "" : line + "  ";
  std::string text;
  for (const auto& [key, item] : json.items()) {
    if (!text.empty()) text += one_line ? ", " : ",";
    text += start;
    if (json.is_object()) text += printed(key) + ": ";
    text += laid_out(item, start);
  }
  text += one_line ? "" : line;
  return json.is_object() ? '{' + text + '}' : '[' + text + ']';
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw UsageError(fmt::format("{}: is not JSON: {:.200}", file, why));
}

}  // namespace

std::string json_text(const Json& json) { return laid_out(json, "\n") + '\n'; }

std::string json_line(const Json& json) { return printed(json); }

Json parse_json(std::string_view text, const std::string& file) {
  // Copying and printing a value recurse.
  const auto check_depth = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > most_levels) refuse(file, fmt::format("nested more than {} levels", most_levels));
    return true;
  };
  try {
    return Json::parse(text, check_depth);
  } catch (const Json::exception& error) {
    refuse(file, error.what());
  }
}

Json read_json(const std::filesystem::path& file) {
  const std::string text = read_input(file, file.string(), "file of JSON", most_bytes);
  if (text.size() > most_bytes) refuse(file.string(), "more than 64 MiB");
  return parse_json(text, file.string());
}

const Json& member(const Json& json, std::string_view key) {
  const auto found = json.find(key);
  return found == json.end() ? null : *found;
}

const Json& item(const Json& json, std::size_t index) {
  return json.is_array() && index < json.size() ? json[index] : null;
}

std::optional<double> number_in(const Json& json) {
  if (!json.is_number()) return std::nullopt;
  return json.get<double>();
}

std::optional<std::int64_t> whole_in(const Json& json) {
  constexpr double end = 9223372036854775808.0;  // 2^63
  if (json.is_number_unsigned() && json.get<std::uint64_t>() >> 63U != 0) return std::nullopt;
  if (json.is_number_integer()) return json.get<std::int64_t>();
  const double value = number_in(json).value_or(end);
  if (value < -end || value >= end || value != std::trunc(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string text_in(const Json& json) {
  if (json.is_null()) return "";
  return json.is_string() ? json.get<std::string>() : json_line(json);
}

}  // namespace lbm::io
