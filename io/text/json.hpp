// SPDX-License-Identifier: Apache-2.0

// JSON, written and read by nlohmann-json. Headers need only this forward declaration; sources that
// build or look into a value include <nlohmann/json.hpp> too.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

// An empty optional becomes null.
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  template <class AnyJson>
  static void to_json(AnyJson& json, const std::optional<T>& value) {
    if (value)
      json = *value;
    else
      json = nullptr;
  }
};

namespace lbm::io {

// Members keep the order in which they were added.
using Json = nlohmann::ordered_json;

// The text of a value, indented by two spaces, with a newline at the end; a list of plain values
// stays on one line. Doubles read back to the same bits and stay recognisable as floating point
// ("1.0"). NaN and infinity become null, bytes that are not UTF-8 U+FFFD, so the text is always
// valid.
std::string json_text(const Json& json);
// The same value on one line, without a newline.
std::string json_line(const Json& json);

// The value of a text that anybody may have changed. Throws UsageError ("FILE: is not JSON: ...",
// one line) for invalid text and for more than 64 levels of nesting. file: what messages call the
// text.
Json parse_json(std::string_view text, const std::string& file);
// The value in a file. Throws UsageError, also for a file that cannot be read or has more than 64
// MiB.
Json read_json(const std::filesystem::path& file);

// The member `key`; null where the value is not an object or has no such member.
const Json& member(const Json& json, std::string_view key);
// The item at `index`; null where the value is not an array or is shorter.
const Json& item(const Json& json, std::size_t index);

// Empty for a value of another type, and for a number that is not whole or not within 64 bits.
std::optional<double> number_in(const Json& json);
std::optional<std::int64_t> whole_in(const Json& json);
// The characters of a string, the text of any other value; empty for null.
std::string text_in(const Json& json);

}  // namespace lbm::io
