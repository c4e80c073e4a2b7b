// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/template.hpp"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace lbm::cases::init {
namespace {

constexpr std::size_t line_width = 110, column = 40;

std::string printed(double value, int digits) { return fmt::format("{:.{}g}", value, digits); }

double rounded(double value, int digits) { return std::stod(printed(value, digits)); }

// 10^n with value = 0.1 to 1 x 10^n digits.
double unit_of(double value, int digits) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
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

// A line of the case, and its comment behind it; above it where the line reaches too far.
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

// The end of a {{ }} that begins at `at`; others may be inside.
std::size_t end_of(const std::string& line, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i + 1 < line.size(); ++i) {
    if (line.compare(i, 2, "{{") == 0)
      ++depth, ++i;
    else if (line.compare(i, 2, "}}") == 0 && --depth == 0)
      return i;
    else if (line.compare(i, 2, "}}") == 0)
      ++i;
  }
  throw std::logic_error("template: {{ without }}: " + line);
}

}  // namespace

double rounded_up(double value, int digits) {
  const double unit = unit_of(value, digits);
  return rounded(std::ceil(value / unit * (1 - 1e-12)) * unit, digits + 1);
}

double rounded_down(double value, int digits) {
  const double unit = unit_of(value, digits);
  return rounded(std::floor(value / unit * (1 + 1e-12)) * unit, digits + 1);
}

double Values::number(const std::string& formula) const {
  try {
    mu::Parser parser;
    parser.DefineFun(
        "cbrt", +[](double x) { return std::cbrt(x); });
    parser.DefineFun(
        "ceil", +[](double x) { return std::ceil(x); });
    parser.DefineFun(
        "floor", +[](double x) { return std::floor(x); });
    parser.DefineFun(
        "round", +[](double x) { return std::round(x); });
    parser.DefineFun(
        "rounded", +[](double x, double n) { return rounded(x, int(n)); });
    parser.DefineFun(
        "rounded_up", +[](double x, double n) { return rounded_up(x, int(n)); });
    for (const auto& [name, value] : numbers) parser.DefineConst(name, value);
    parser.SetExpr(formula);
    return parser.Eval();
  } catch (const mu::ParserError& error) {
    throw std::logic_error("template: " + formula + ": " + error.GetMsg());
  }
}

std::string Values::filled(const std::string& line) const {
  std::string text;
  std::size_t from = 0;
  for (std::size_t at; (at = line.find("{{ ", from)) != std::string::npos;) {
    const std::size_t end = end_of(line, at);
    text += line.substr(from, at - from);
    from = end + 2;
    const std::string inner = line.substr(at + 3, end - at - 4);
    if (const auto known = texts.find(inner); known != texts.end()) {
      text += known->second;
    } else if (inner.starts_with('\'')) {
      const std::size_t is = inner.find("' if "), other = inner.find(" else '", is);
      const bool first = number(inner.substr(is + 5, other - is - 5)) != 0;
      if (first) text += filled(inner.substr(1, is - 1));
      if (!first && other != std::string::npos)
        text += filled(inner.substr(other + 7, inner.size() - other - 8));
    } else {
      const std::size_t bar = inner.rfind(" | ");
      const int digits = bar == std::string::npos ? 6 : std::stoi(inner.substr(bar + 3));
      text += printed(number(inner.substr(0, bar)), digits);
    }
  }
  return text + line.substr(from);
}

std::string Values::rendered(const std::string& text,
                             const std::map<std::string, std::string>& parts) const {
  std::string out;
  std::vector<bool> open;  // the conditions around the line
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const bool shown = std::find(open.begin(), open.end(), false) == open.end();
    if (const auto condition = directive(line, "if")) {
      open.push_back(shown && number(*condition) != 0);
    } else if (directive(line, "else")) {
      open.back() = !open.back();
    } else if (directive(line, "endif")) {
      open.pop_back();
    } else if (!shown) {
      continue;
    } else if (const auto part = directive(line, "include")) {
      out += rendered(parts.at(*part), parts);
    } else if (line.starts_with("# ")) {
      for (const std::string& one : wrapped(filled(line.substr(2)), line_width - 2)) {
        out += "# " + one + "\n";
      }
    } else {  // split before names of files are filled in, which may have such signs
      const std::size_t at = std::min(line.find("  # "), line.size());
      out +=
          aligned(filled(line.substr(0, at)), filled(line.substr(std::min(at + 4, line.size()))));
    }
  }
  return out;
}

}  // namespace lbm::cases::init
