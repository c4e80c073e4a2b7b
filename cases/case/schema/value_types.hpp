// SPDX-License-Identifier: Apache-2.0

// Value types of the key table: each reads, writes and documents the values of a key from the same
// range.
#pragma once

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lbm::cases::value_types {

template <class T>
struct ValueType {
  std::string name;                                         // "number"
  std::string allowed;                                      // "> 0"
  std::function<std::optional<T>(const YAML::Node&)> read;  // empty for any other value
  std::function<std::string(const T&)> write;               // empty: as if unset
  bool with_auto = false;  // the word `auto` unsets the key, which is a std::optional
};

// Open at both ends by default.
struct NumberRange {
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  bool with_lower_end = false;

  bool holds(double value) const;
  std::string text() const;
};

inline constexpr NumberRange any_number{};
inline constexpr NumberRange positive{0};
inline constexpr NumberRange not_negative{.above = 0, .with_lower_end = true};

// A finite number.
ValueType<double> number(const NumberRange& range);
ValueType<std::int64_t> whole(std::int64_t min, std::int64_t max);
ValueType<std::uint64_t> bytes();
// Text accepted by is_allowed().
ValueType<std::string> text(const std::string& allowed, bool (*is_allowed)(const std::string&));
// 1 to 1000 bytes without control characters.
ValueType<std::string> file_name();
// 1 to 1000 ASCII characters; whether they are a formula is seen when its names are known. example:
// for messages.
ValueType<std::string> formula(const std::string& example);

template <class T>
ValueType<T> or_auto(ValueType<T> type) {
  type.allowed = type.name == "word" ? "auto, " + type.allowed : type.allowed + ", or auto";
  type.with_auto = true;
  return type;
}

// 0 for "#1", and so on; empty for other texts.
std::optional<int> scalar_number(const YAML::Node& node);

// Words that stand for numbers.
class WordList {
 public:
  void add(std::string word, std::int64_t number);
  std::optional<std::int64_t> read(const YAML::Node& node) const;
  // "unknown" for another number.
  std::string write(std::int64_t number) const;
  std::string names() const;  // "a, b, c"

 private:
  std::vector<std::pair<std::string, std::int64_t>> words_;
};

// T: an enumeration, or a whole number.
template <class T>
ValueType<T> words(WordList list) {
  const auto shared = std::make_shared<const WordList>(std::move(list));
  return {"word", shared->names(),
          [shared](const YAML::Node& node) -> std::optional<T> {
            const auto number = shared->read(node);
            return number ? std::optional<T>(static_cast<T>(*number)) : std::nullopt;
          },
          [shared](const T& value) { return shared->write(static_cast<std::int64_t>(value)); }};
}
template <class T>
ValueType<T> words(std::initializer_list<std::pair<const char*, T>> words_and_values) {
  WordList list;
  for (const auto& [word, value] : words_and_values)
    list.add(word, static_cast<std::int64_t>(value));
  return words<T>(std::move(list));
}

// The names of all enumerators.
template <class Enum>
ValueType<Enum> words() {
  WordList list;
  std::int64_t number = 0;
  for (const char* name : enum_names(Enum{})) list.add(name, number++);
  return words<Enum>(std::move(list));
}

// The words "#1", "#2", ... of the scalars of a case, from the value `first` on, beside those of a
// type; key_table::take_scalars() puts names in their place.
template <class Enum>
ValueType<Enum> or_scalar(ValueType<Enum> type, Enum first) {
  type.read = [read = std::move(type.read), first](const YAML::Node& node) {
    const auto scalar = scalar_number(node);
    return scalar ? std::optional<Enum>(static_cast<Enum>(static_cast<int>(first) + *scalar))
                  : read(node);
  };
  type.write = [write = std::move(type.write), first](const Enum& value) {
    return value < first
               ? write(value)
               : fmt::format("#{}", static_cast<int>(value) - static_cast<int>(first) + 1);
  };
  return type;
}

ValueType<bool> boolean();
ValueType<int> axis();

template <class Numbers>
std::string list_text(const Numbers& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

// Any number of items.
template <class T>
ValueType<std::vector<T>> list_of(const ValueType<T>& item, const std::string& name,
                                  const std::string& allowed) {
  const auto read = [item](const YAML::Node& node) -> std::optional<std::vector<T>> {
    if (!node.IsSequence()) return std::nullopt;
    std::vector<T> values;
    for (const auto& entry : node) {
      auto value = item.read(entry);
      if (!value) return std::nullopt;
      values.push_back(std::move(*value));
    }
    return values;
  };
  const auto write = [item](const std::vector<T>& values) {
    std::vector<std::string> items;
    items.reserve(values.size());
    for (const T& value : values) items.push_back(item.write(value));
    return list_text(items);
  };
  return {name, allowed, read, write};
}

// Only the values that accept() takes. allowed: replaces that of the type.
template <class T, class Accept>
ValueType<T> where(ValueType<T> type, const std::string& allowed, Accept accept) {
  type.allowed = allowed;
  type.read = [read = std::move(type.read), accept](const YAML::Node& node) {
    auto value = read(node);
    return value && accept(*value) ? value : std::nullopt;
  };
  return type;
}

// At least one item; an empty list is that of a key that is not given.
template <class T>
ValueType<std::vector<T>> filled(ValueType<std::vector<T>> list) {
  list.write = [write = list.write](const std::vector<T>& values) {
    return values.empty() ? std::string() : write(values);
  };
  const std::string allowed = list.allowed;
  return where(std::move(list), allowed, [](const std::vector<T>& all) { return !all.empty(); });
}

// Distinct words, at least one.
template <class T>
ValueType<std::vector<T>> list_of_words(const ValueType<T>& word) {
  return where(filled(list_of(word, "list of words", "")), word.allowed, [](std::vector<T> all) {
    std::sort(all.begin(), all.end());
    return std::adjacent_find(all.begin(), all.end()) == all.end();
  });
}

// As many items as the array holds: two to four.
template <class Array, class T>
ValueType<Array> array_of(const ValueType<T>& item, const char* items, const std::string& allowed) {
  constexpr std::size_t count = std::tuple_size_v<Array>;
  constexpr std::array words{"two", "three", "four"};
  const auto read = [list = list_of(item, "", "").read](const YAML::Node& node) {
    const auto values = list(node);
    std::optional<Array> array;
    if (values && values->size() == count)
      std::copy_n(values->begin(), count, array.emplace().begin());
    return array;
  };
  return {fmt::format("list of {} {}", words[count - 2], items), allowed, read, list_text<Array>};
}

template <class Array>
ValueType<Array> numbers(const NumberRange& range, const std::string& allowed) {
  return array_of<Array>(number(range), "numbers", allowed);
}

// Three finite numbers.
ValueType<std::array<double, 3>> vector();
// Three formulas; written in quotes.
ValueType<std::array<std::string, 3>> formulas();
// At least one name that is_name() accepts. example: a list of them, for messages.
ValueType<std::vector<std::string>> names(bool (*is_name)(const std::string&),
                                          const std::string& example);
// Any number of times > 0.
ValueType<std::vector<double>> times();

}  // namespace lbm::cases::value_types
