// A JSON value to build and print. Write only: nothing here parses.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace lbm::io {

// null, bool, integer, double, string, array or object; members keep the order they were added in.
//   Json report = Json::object();
//   report["mlups"] = 123.4;
//   report["grid"] = Json::array({64, 64, 128});
class Json {
 public:
  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(bool value) : value_(value) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T value) {
    // An unsigned beyond int64 keeps its size as a double rather than turn negative.
    if (std::in_range<std::int64_t>(value))
      value_ = static_cast<std::int64_t>(value);
    else
      value_ = static_cast<double>(value);
  }
  Json(double value) : value_(value) {}
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  // Null where there is none.
  Json(const std::optional<double>& value) {
    if (value) value_ = *value;
  }

  static Json object();
  static Json array(std::initializer_list<Json> items = {});

  // The member `key`, added as null when missing. A null becomes an object first. Throws
  // std::logic_error on any other type.
  Json& operator[](std::string_view key);

  // Appends to an array. A null becomes an array first. Throws std::logic_error on other types.
  void push_back(Json item);

  // UTF-8 text, indented by two spaces, ending in a newline. Doubles read back to the same bits and
  // stay recognisable as floating point ("1.0"); NaN and infinity become null. Bytes that are not
  // UTF-8 become U+FFFD, so the text is always valid.
  std::string dump() const;

 private:
  using Array = std::vector<Json>;
  // Two vectors: a vector of key-value pairs would hold a type that is not complete here.
  struct Object {
    std::vector<std::string> keys;
    std::vector<Json> values;
  };

  void print(std::string& out, int depth) const;
  static void print_array(const Array& items, std::string& out, int depth);
  static void print_object(const Object& object, std::string& out, int depth);
  bool is_scalar() const;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> value_;
};

// `text` in double quotes with everything escaped that JSON wants escaped.
std::string json_quoted(std::string_view text);

}  // namespace lbm::io
