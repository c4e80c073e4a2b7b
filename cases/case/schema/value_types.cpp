// SPDX-License-Identifier: Apache-2.0
#include "cases/case/schema/value_types.hpp"

#include <cctype>
#include <cmath>

#include "cases/case/scalars.hpp"
#include "cases/formula/formula.hpp"
#include "solver/lattice/scalars.hpp"

namespace lbm::cases::value_types {
namespace {

template <class T>
std::string plain_text(const T& value) {
  return fmt::format("{}", value);
}

bool is_file_name(const std::string& path) {
  return !path.empty() && path.size() <= 1000 &&
         std::none_of(path.begin(), path.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

bool is_formula_text(const std::string& text) {
  return !text.empty() && text.size() <= formula::longest &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\n';
         });
}

// Numbers that are no numbers, in YAML and elsewhere.
bool is_not_finite(std::string text) {
  std::erase_if(text, [](char c) { return c == '.' || c == '+' || c == '-'; });
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text == "nan" || text == "inf" || text == "infinity" || is_number_out_of_range(text);
}

}  // namespace

std::optional<int> scalar_number(const YAML::Node& node) {
  if (!node.IsScalar() || !node.Scalar().starts_with('#')) return std::nullopt;
  const auto number = parse_whole(std::string_view(node.Scalar()).substr(1));
  if (!number || *number < 1 || *number > most_scalars) return std::nullopt;
  return static_cast<int>(*number) - 1;
}

void WordList::add(std::string word, std::int64_t number) {
  words_.emplace_back(std::move(word), number);
}

std::optional<std::int64_t> WordList::read(const YAML::Node& node) const {
  for (const auto& [word, number] : words_) {
    if (node.IsScalar() && node.Scalar() == word) return number;
  }
  return std::nullopt;
}

std::string WordList::write(std::int64_t number) const {
  for (const auto& [word, of_word] : words_) {
    if (of_word == number) return word;
  }
  return "unknown";
}

std::string WordList::names() const {
  std::string text;
  for (const auto& entry : words_) text += (text.empty() ? "" : ", ") + entry.first;
  return text;
}

bool NumberRange::holds(double value) const {
  return (value > above || (with_lower_end && value == above)) && value < below;
}

std::string NumberRange::text() const {
  if (!std::isfinite(above) && !std::isfinite(below)) return "of any size";
  const std::string low =
      std::isfinite(above) ? fmt::format("{} {}", with_lower_end ? ">=" : ">", above) : "";
  const std::string high = std::isfinite(below) ? fmt::format("< {}", below) : "";
  return low.empty() || high.empty() ? low + high : low + " and " + high;
}

ValueType<double> number(const NumberRange& range) {
  const auto read = [range](const YAML::Node& node) {
    const auto value = node.IsScalar() ? parse_number(node.Scalar()) : std::nullopt;
    return value && range.holds(*value) ? value : std::nullopt;
  };
  return {"number", range.text(), read, plain_text<double>};
}

ValueType<std::int64_t> whole(std::int64_t min, std::int64_t max) {
  const auto read = [=](const YAML::Node& node) {
    const auto value = node.IsScalar() ? parse_whole(node.Scalar()) : std::nullopt;
    return value && *value >= min && *value <= max ? value : std::nullopt;
  };
  return {"whole number", fmt::format("from {} to {}", min, max), read, plain_text<std::int64_t>};
}

ValueType<std::uint64_t> bytes() {
  const auto read = [](const YAML::Node& node) {
    return node.IsScalar() ? parse_bytes(node.Scalar()) : std::nullopt;
  };
  return {"memory", "bytes (8e9), an amount with its unit (8 GB, 512 MiB)", read,
          plain_text<std::uint64_t>};
}

ValueType<std::string> text(const std::string& allowed, bool (*is_allowed)(const std::string&)) {
  const auto read = [=](const YAML::Node& node) -> std::optional<std::string> {
    if (!node.IsScalar() || !is_allowed(node.Scalar())) return std::nullopt;
    return node.Scalar();
  };
  const auto write = [](const std::string& value) {
    return value.empty() ? std::string() : double_quoted(value);
  };
  return {"text", allowed, read, write};
}

ValueType<std::string> file_name() { return text("1 to 1000 characters", is_file_name); }

ValueType<std::string> formula(const std::string& example) {
  auto type =
      text(fmt::format("such as {}, of at most {} ASCII characters", example, formula::longest),
           is_formula_text);
  type.name = "formula";
  type.read = [read = type.read](const YAML::Node& node) {
    auto value = read(node);
    return value && is_not_finite(*value) ? std::nullopt : value;
  };
  return type;
}

ValueType<bool> boolean() {
  auto type = words<bool>({{"true", true}, {"false", false}});
  type.name = "switch";
  return type;
}

ValueType<int> axis() { return words<int>({{"x", 0}, {"y", 1}, {"z", 2}}); }

ValueType<std::array<double, 3>> vector() {
  return numbers<std::array<double, 3>>(any_number, "such as [1, 0, 0]");
}

ValueType<std::array<std::string, 3>> formulas() {
  const ValueType<std::string> item = formula("");
  auto type = array_of<std::array<std::string, 3>>(item, "formulas", "");
  type.write = [write = item.write](const std::array<std::string, 3>& all) {
    return fmt::format("[{}, {}, {}]", write(all[0]), write(all[1]), write(all[2]));
  };
  return type;
}

ValueType<std::vector<std::string>> names(bool (*is_name)(const std::string&),
                                          const std::string& example) {
  auto name = text("", is_name);
  name.write = [](const std::string& text) { return text; };
  return filled(list_of(name, "list of names", "such as " + example));
}

ValueType<std::vector<double>> times() {
  return list_of(number(positive), "list of numbers", "> 0");
}

}  // namespace lbm::cases::value_types
