// JSON objects as text, for --json.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cases/app/scalars.hpp"

namespace lbm::app {

// Keeps the order in which members are added. Not-a-number and infinity become null.
class JsonObject {
 public:
  JsonObject& add(std::string_view name, std::string_view text) {
    return raw(name, double_quoted(text));
  }
  JsonObject& add(std::string_view name, const char* text) {
    return add(name, std::string_view(text));
  }
  JsonObject& add(std::string_view name, const std::string& text) {
    return add(name, std::string_view(text));
  }
  JsonObject& add(std::string_view name, const JsonObject& object) {
    return raw(name, object.text());
  }
  JsonObject& add(std::string_view name, const std::vector<std::string>& texts) {
    std::vector<std::string> items;
    for (const std::string& text : texts) items.push_back(double_quoted(text));
    return raw(name, fmt::format("[{}]", fmt::join(items, ", ")));
  }
  template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
  JsonObject& add(std::string_view name, Number number) {
    if constexpr (std::is_floating_point_v<Number>) {
      if (!std::isfinite(number)) return raw(name, "null");
    }
    return raw(name, fmt::format("{}", number));
  }
  // `json` goes in as it is.
  JsonObject& raw(std::string_view name, std::string_view json) {
    members_ += fmt::format("{}{}: {}", members_.empty() ? "" : ", ", double_quoted(name), json);
    return *this;
  }
  // One line.
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace lbm::app
