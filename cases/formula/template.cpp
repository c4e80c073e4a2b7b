// SPDX-License-Identifier: Apache-2.0
#include "cases/formula/formula.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "solver/core/error.hpp"

namespace lbm::formula {
namespace {

using io::Json;

constexpr std::size_t line_width = 110, column = 40;

double rounded(double value, int digits) {
  return std::stod(fmt::format("{:.{}g}", value, digits));
}

// 10^n with value = 0.1 to 1 x 10^n digits.
double unit_of(double value, int digits) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
}

// The value of a path; null: there is none.
const Json* find(const Json& values, std::string path) {
  std::replace(path.begin(), path.end(), '.', '/');
  const Json::json_pointer at("/" + path);
  return values.contains(at) ? &values.at(at) : nullptr;
}

double number_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_string()) return static_cast<double>(value.get_ref<const std::string&>().size());
  return value.is_number() ? value.get<double>() : static_cast<double>(value.size());
}

// Those that muParser does not have, or not in all versions.
constexpr struct {
  const char* name;
  mu::fun_type1 call;
} of_one[]{{"cbrt", std::cbrt}, {"ceil", std::ceil}, {"floor", std::floor}, {"round", std::round}};
constexpr struct {
  const char* name;
  mu::fun_type2 call;
} of_two[]{{"rounded", [](double x, double n) { return rounded(x, static_cast<int>(n)); }},
           {"rounded_up", [](double x, double n) { return rounded_up(x, static_cast<int>(n)); }}};

// strict: names without a value are errors, not 0.
double evaluated(const std::string& formula, const Json& values, bool strict) {
  struct Names {
    const Json& values;
    bool strict;
    std::deque<double> used{};
  } names{values, strict};
  try {
    mu::Parser parser;
    parser.DefineNameChars("0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    for (const auto& [name, call] : of_one) parser.DefineFun(name, call);
    for (const auto& [name, call] : of_two) parser.DefineFun(name, call);
    const auto look_up = [](const char* name, void* all) {
      auto& [known, must, used] = *static_cast<Names*>(all);
      const Json* value = find(known, name);
      if (value == nullptr && must) throw mu::ParserError(std::string("no value ") + name);
      return &used.emplace_back(value == nullptr ? 0 : number_of(*value));
    };
    parser.SetVarFactory(look_up, &names);
    parser.SetExpr(formula);
    return parser.Eval();
  } catch (const mu::ParserError& error) {
    throw std::logic_error("template: " + formula + ": " + error.GetMsg());
  }
}

bool holds(const std::string& condition, const Json& values) {
  return evaluated(condition, values, false) != 0;
}

// The items of a list with commas between them.
std::string text_of(const Json& value) {
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (!value.is_array()) return io::text_in(value);
  std::string text;
  for (const Json& item : value) text += (text.empty() ? "" : ", ") + text_of(item);
  return text;
}

std::string time_text(double seconds) {
  if (seconds < 1) return fmt::format("{:.3g} ms", 1000 * seconds);
  if (seconds < 120) return fmt::format("{:.1f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.1f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string filtered(const Json& value, const std::string& filter) {
  const std::string text = text_of(value), format = "{:" + filter + "}";
  if (filter == "none") return text.empty() ? filter : text;
  if (filter == "bytes") return human_bytes(value.get<std::uint64_t>());
  if (filter == "seconds") return time_text(number_of(value));
  const bool digits = filter.find_first_of("efg") != std::string::npos;
  return value.is_number() && digits ? fmt::format(fmt::runtime(format), value.get<double>())
                                     : fmt::format(fmt::runtime(format), text);
}

// The text for the inside of {{ }}.
std::string value_text(const std::string& inner, const Json& values) {
  if (inner.starts_with('\'')) {
    const std::size_t is = inner.find("' if "), other = inner.find(" else '", is);
    const bool first = holds(inner.substr(is + 5, other - is - 5), values);
    if (first) return filled(inner.substr(1, is - 1), values);
    if (other == std::string::npos) return "";
    return filled(inner.substr(other + 7, inner.size() - other - 8), values);
  }
  std::size_t bar = std::min(inner.find(" | "), inner.size());
  const Json* known = find(values, inner.substr(0, bar));
  Json value = known != nullptr ? *known : Json(number(inner.substr(0, bar), values));
  while (bar < inner.size()) {
    const std::size_t begin = bar + 3;
    bar = std::min(inner.find(" | ", begin), inner.size());
    value = filtered(value, inner.substr(begin, bar - begin));
  }
  return text_of(value);
}

// The end of a {{ }} that begins at `at`; others may be inside.
std::size_t end_of(const std::string& line, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i + 1 < line.size(); ++i) {
    const bool open = line.compare(i, 2, "{{") == 0, close = line.compare(i, 2, "}}") == 0;
    depth += open ? 1 : close ? -1 : 0;
    if (close && depth == 0) return i;
    if (open || close) ++i;
  }
  throw std::logic_error("template: {{ without }}: " + line);
}

// Parts of a text at spaces, none longer than `most` unless it is one word.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ' ');) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

// A line, and its comment behind it; above it where the line reaches too far.
std::string aligned(const std::string& keys, const std::string& comment) {
  if (comment.empty()) return keys + "\n";
  const bool above = keys.size() > column + 22;
  const std::size_t at = above ? std::min(keys.find_first_not_of(' '), keys.size())
                               : std::max(column, keys.size() + 2);
  std::string text = above ? "" : keys;
  std::size_t present = text.size();
  for (const std::string& part : wrapped(comment, line_width - at - 2)) {
    text += std::string(at - present, ' ') + "# " + part + "\n";
    present = 0;
  }
  return above ? text + keys + "\n" : text;
}

// "x > 0" of "{% if x > 0 %}".
std::optional<std::string> directive(const std::string& line, const std::string& name) {
  const std::string begin = "{% " + name;
  const std::size_t at = line.find_first_not_of(' ');
  if (at == std::string::npos || line.compare(at, begin.size(), begin) != 0) return std::nullopt;
  const std::size_t from = at + begin.size();
  const std::string rest = line.substr(from, line.find(" %}", from) - from);
  return rest.empty() ? rest : rest.substr(1);
}

class Renderer {
 public:
  Renderer(const std::string& text, const Parts& parts) : parts_(parts) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) lines_.push_back(line);
  }

  std::string text(const Json& values) {
    Json all = values;
    block(0, all, true);
    return std::move(out_);
  }

 private:
  // From this line to the one that ends its block, which is returned.
  std::size_t block(std::size_t i, Json& values, bool shown) {
    for (; i < lines_.size(); ++i) {
      const std::string& line = lines_[i];
      if (const auto condition = directive(line, "if")) {
        const bool yes = shown && holds(*condition, values);
        i = block(i + 1, values, yes);
        if (directive(lines_.at(i), "else")) i = block(i + 1, values, shown && !yes);
      } else if (const auto loop = directive(line, "for")) {
        i = repeated(i + 1, *loop, values, shown);
      } else if (directive(line, "e")) {  // else, endif, endfor
        return i;
      } else if (shown) {
        add(line, values);
      }
    }
    return i;
  }

  // loop: "row in results". Its variable is among `values` while it lasts: a copy of all values for
  // each item would take time by the square of their number.
  std::size_t repeated(std::size_t begin, const std::string& loop, Json& values, bool shown) {
    const std::size_t in = loop.find(" in ");
    const Json* found = shown ? find(values, loop.substr(in + 4)) : nullptr;
    if (found == nullptr || found->empty()) return block(begin, values, false);
    const Json list = *found;  // a new variable may move the values
    const std::string name = loop.substr(0, in);
    std::size_t end = begin;
    for (const Json& item : list) {
      values[name] = item;
      end = block(begin, values, true);
    }
    values.erase(name);
    return end;
  }

  void add(const std::string& line, const Json& values) {
    if (const auto part = directive(line, "include")) {
      out_ += rendered(parts_.at(*part), values, parts_);
    } else if (line.starts_with("# ")) {
      for (const std::string& one : wrapped(filled(line.substr(2), values), line_width - 2)) {
        out_ += "# " + one + "\n";
      }
    } else {  // split before names of files are filled in, which may have such signs
      const std::size_t at = std::min(line.find("  # "), line.size());
      out_ += aligned(filled(line.substr(0, at), values),
                      filled(line.substr(std::min(at + 4, line.size())), values));
    }
  }

  const Parts& parts_;
  std::vector<std::string> lines_;
  std::string out_;
};

}  // namespace

double rounded_up(double value, int digits) {
  const double unit = unit_of(value, digits);
  return rounded(std::ceil(value / unit * (1 - 1e-12)) * unit, digits + 1);
}

double rounded_down(double value, int digits) {
  const double unit = unit_of(value, digits);
  return rounded(std::floor(value / unit * (1 + 1e-12)) * unit, digits + 1);
}

double number(const std::string& formula, const Json& values) {
  return evaluated(formula, values, true);
}

std::string filled(const std::string& line, const Json& values) {
  std::string text;
  std::size_t from = 0;
  for (std::size_t at; (at = line.find("{{ ", from)) != std::string::npos;) {
    const std::size_t end = end_of(line, at);
    text += line.substr(from, at - from) + value_text(line.substr(at + 3, end - at - 4), values);
    from = end + 2;
  }
  return text + line.substr(from);
}

std::string rendered(const std::string& text, const Json& values, const Parts& parts) {
  return Renderer(text, parts).text(values);
}

}  // namespace lbm::formula
