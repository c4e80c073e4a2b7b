#include "io/text/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <stdexcept>

namespace lbm::io {
namespace {

std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  const auto end = std::to_chars(std::begin(buffer), std::end(buffer), value).ptr;
  std::string text(buffer, end);
  // Readers with integer types (Python among them) should see a float.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Length of the valid UTF-8 sequence at the start of `text`, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second > 0x9F;
  const bool too_large = lead == 0xF4 && second > 0x8F;
  return overlong || surrogate || too_large ? 0 : length;
}

std::string line_start(int depth) {
  std::string text(1 + 2 * static_cast<std::size_t>(depth), ' ');
  text.front() = '\n';
  return text;
}

std::string escaped(char c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  if (static_cast<unsigned char>(c) < 0x20)
    return fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  return {c};
}

}  // namespace

std::string json_quoted(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0)
      out += "\xEF\xBF\xBD";
    else if (length == 1)
      out += escaped(text.front());
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + '"';
}

Json Json::object() {
  Json json;
  json.value_ = Object{};
  return json;
}

Json Json::array(std::initializer_list<Json> items) {
  Json json;
  json.value_ = Array(items);
  return json;
}

Json& Json::operator[](std::string_view key) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Object{};
  auto* object = std::get_if<Object>(&value_);
  if (object == nullptr)
    throw std::logic_error(fmt::format("Json: member '{}' of a value that is no object", key));
  auto& [keys, values] = *object;
  const auto found = std::find(keys.begin(), keys.end(), key) - keys.begin();
  if (found == std::ssize(keys)) {
    keys.emplace_back(key);
    values.emplace_back();
  }
  return values[static_cast<std::size_t>(found)];
}

void Json::push_back(Json item) {
  if (std::holds_alternative<std::nullptr_t>(value_)) value_ = Array{};
  auto* items = std::get_if<Array>(&value_);
  if (items == nullptr) throw std::logic_error("Json: push_back on a value that is no array");
  items->push_back(std::move(item));
}

std::string Json::dump() const {
  std::string out;
  print(out, 0);
  return out + '\n';
}

bool Json::is_scalar() const {
  return !std::holds_alternative<Array>(value_) && !std::holds_alternative<Object>(value_);
}

void Json::print(std::string& out, int depth) const {
  struct Printer {
    std::string& out;
    int depth;
    void operator()(std::nullptr_t) const { out += "null"; }
    void operator()(bool value) const { out += value ? "true" : "false"; }
    void operator()(std::int64_t value) const { out += std::to_string(value); }
    void operator()(double value) const { out += json_number(value); }
    void operator()(const std::string& value) const { out += json_quoted(value); }
    void operator()(const Array& items) const { print_array(items, out, depth); }
    void operator()(const Object& object) const { print_object(object, out, depth); }
  };
  std::visit(Printer{out, depth}, value_);
}

void Json::print_array(const Array& items, std::string& out, int depth) {
  // Vectors like a grid size read best on one line.
  const bool one_line =
      std::all_of(items.begin(), items.end(), [](const Json& item) { return item.is_scalar(); });
  const std::string margin = line_start(depth);
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += one_line ? ", " : ",";
    if (!one_line) out.append(margin).append("  ");
    items[i].print(out, depth + 1);
  }
  if (!one_line) out += margin;
  out += ']';
}

void Json::print_object(const Object& object, std::string& out, int depth) {
  const std::string margin = line_start(depth);
  out += '{';
  for (std::size_t i = 0; i < object.keys.size(); ++i) {
    out.append(i > 0 ? "," : "").append(margin).append("  ");
    out.append(json_quoted(object.keys[i])).append(": ");
    object.values[i].print(out, depth + 1);
  }
  if (!object.keys.empty()) out += margin;
  out += '}';
}

}  // namespace lbm::io
