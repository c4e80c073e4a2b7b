// Value types of the key table that are lists. See key_types.hpp.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cases/case/schema/key_types.hpp"
#include "cases/case/schema/keys.hpp"

namespace lbm::cases::key_types {

// Parses every item of a YAML list; empty if one is not a number.
template <class Parse>
auto numbers_of(const YAML::Node& node, Parse parse) {
  using Number = typename decltype(parse(std::string_view{}))::value_type;
  std::optional<std::vector<Number>> result;
  if (!node.IsSequence()) return result;
  std::vector<Number> values;
  for (const auto& item : node) {
    const auto value = item.IsScalar() ? parse(item.Scalar()) : std::nullopt;
    if (!value) return result;
    values.push_back(*value);
  }
  result = std::move(values);
  return result;
}

template <class Numbers>
std::string list_text(const Numbers& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

inline const char* count_word(std::size_t count) {
  return count == 2 ? "two" : count == 3 ? "three" : "four";
}

// Finite numbers in `range`, as many as the (possibly optional) std::array holds.
template <class Access>
Key numbers(const Texts& texts, NumberRange range, const std::string& allowed, Access access) {
  using Member = std::decay_t<decltype(access(std::declval<const Case&>()))>;
  using Array = typename ValueOf<Member>::type;
  constexpr std::size_t count = std::tuple_size_v<Array>;
  Key key = key_of(texts, fmt::format("list of {} numbers", count_word(count)), allowed);
  key.read = [=](const YAML::Node& node, Case& out) {
    const auto values = numbers_of(node, parse_number);
    if (!values || values->size() != count) return false;
    if (!std::all_of(values->begin(), values->end(), [=](double v) { return range.holds(v); })) {
      return false;
    }
    Array array{};
    std::copy(values->begin(), values->end(), array.begin());
    access(out) = array;
    return true;
  };
  key.write = [=](const Case& in) {
    return write_member(access(in), Auto::no, [](const Array& v) { return list_text(v); });
  };
  return key;
}

// Any number of times > 0.
template <class Access>
Key time_list(const Texts& texts, Access access) {
  Key key = key_of(texts, "list of numbers", "> 0");
  key.read = [=](const YAML::Node& node, Case& out) {
    auto times = numbers_of(node, parse_number);
    if (!times || std::any_of(times->begin(), times->end(), [](double t) { return !(t > 0); })) {
      return false;
    }
    access(out) = std::move(*times);
    return true;
  };
  key.write = [=](const Case& in) { return list_text(access(in)); };
  return key;
}

// Three finite numbers.
template <class Access>
Key vector(const Texts& texts, Access access) {
  return numbers(texts, any_number, "such as [1, 0, 0]", access);
}

// Names of items of the case; at least one.
template <class Access>
Key names(const Texts& texts, const std::string& allowed, Access access) {
  Key key = key_of(texts, "list of names", allowed);
  key.read = [=](const YAML::Node& node, Case& out) {
    std::vector<std::string> result;
    if (!node.IsSequence() || node.size() == 0) return false;
    for (const auto& entry : node) {
      if (!entry.IsScalar() || !is_item_name(entry.Scalar())) return false;
      result.push_back(entry.Scalar());
    }
    access(out) = std::move(result);
    return true;
  };
  key.write = [=](const Case& in) {
    return access(in).empty() ? std::string() : list_text(access(in));
  };
  return key;
}

}  // namespace lbm::cases::key_types
