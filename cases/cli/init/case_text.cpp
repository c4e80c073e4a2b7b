// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lbm::cases::init {
namespace {

constexpr std::size_t line_width = 110;
constexpr std::size_t column = 40;

// Parts of a text at spaces, none longer than `most` unless it is one word.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > most) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

// 10^n with value = 0.1 to 1 x 10^n digits.
double unit_of(double value, int digits) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
}

// The number that prints with so many digits.
double clean(double value, int digits) { return std::stod(fmt::format("{:.{}g}", value, digits)); }

}  // namespace

void CaseText::comment(const std::string& text) {
  for (const std::string& line : wrapped(text, line_width - 2)) text_ += "# " + line + "\n";
}

void CaseText::line(const std::string& keys, const std::string& comment) {
  if (keys.size() + 2 > column + 24 && !comment.empty()) {  // above the keys, as they reach too far
    const std::string indent(keys.find_first_not_of(' '), ' ');
    for (const std::string& part : wrapped(comment, line_width - indent.size() - 2)) {
      text_ += indent + "# " + part + "\n";
    }
    text_ += keys + "\n";
    return;
  }
  const std::size_t at = std::max(column, keys.size() + 2);
  std::size_t present = keys.size();
  text_ += keys;
  for (const std::string& part : wrapped(comment, line_width - at - 2)) {
    if (!part.empty()) text_ += std::string(at - present, ' ') + "# " + part;
    text_ += "\n";
    present = 0;
  }
}

std::string digits(double value, int count) { return fmt::format("{:.{}g}", value, count); }

double rounded(double value, int digits) { return value == 0 ? 0 : clean(value, digits); }

double rounded_up(double value, int digits) {
  const double unit = unit_of(value, digits);
  return clean(std::ceil(value / unit * (1 - 1e-12)) * unit, digits + 1);
}

double rounded_down(double value, int digits) {
  const double unit = unit_of(value, digits);
  return clean(std::floor(value / unit * (1 + 1e-12)) * unit, digits + 1);
}

}  // namespace lbm::cases::init
