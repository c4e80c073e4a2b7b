// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/terminal/flow_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace lbm::cases {
namespace {

constexpr std::size_t most_values = 2048, least_columns = 8, name_columns = 16, number_columns = 26;
constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> letters{"_", ".", "-", "=", "o", "*", "%", "#"};

// Mean of each of `parts` equal parts; not a number for one without a finite value.
std::vector<double> means(std::span<const double> values, std::size_t parts) {
  std::vector<double> all;
  for (std::size_t i = 0; i < parts; ++i) {
    double sum = 0;
    int count = 0;
    for (std::size_t k = i * values.size() / parts; k < (i + 1) * values.size() / parts; ++k) {
      if (!std::isfinite(values[k])) continue;
      sum += values[k];
      ++count;
    }
    all.push_back(count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN());
  }
  return all;
}

struct Extremes {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Extremes extremes(std::span<const double> values) {
  Extremes found;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    found.low = std::min(found.low, value);
    found.high = std::max(found.high, value);
  }
  return found;
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t columns, bool unicode) {
  const std::vector<double> heights = means(values, std::min(columns, values.size()));
  const auto [low, high] = extremes(heights);
  const auto& signs = unicode ? blocks : letters;
  std::string line;
  for (const double height : heights) {
    const double part = high > low ? (height - low) / (high - low) : 0.5;
    const auto level = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * 7.999);
    line += std::isnan(height) ? " " : signs[level];
  }
  return line;
}

bool terminal_has_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text = value;
    return text.find("UTF-8") != std::string_view::npos ||
           text.find("utf8") != std::string_view::npos;
  }
  return false;
}

void FlowChart::add(const std::vector<FlowNumber>& numbers) {
  if (numbers == last_) return;
  last_ = numbers;
  if (++skipped_ < stride_) return;
  skipped_ = 0;
  bool full = false;
  for (const FlowNumber& number : numbers) {
    std::vector<double>& values = values_[number.name];
    values.push_back(number.value);
    full = full || values.size() >= most_values;
  }
  if (!full) return;
  stride_ *= 2;
  for (auto& [name, values] : values_) {
    for (std::size_t i = 0; 2 * i < values.size(); ++i) values[i] = values[2 * i];
    values.resize((values.size() + 1) / 2);
  }
}

std::vector<std::string> FlowChart::lines(std::size_t width) const {
  std::vector<std::string> lines;
  if (width < name_columns + number_columns + least_columns) return lines;
  for (const FlowNumber& number : last_) {
    const auto found = values_.find(number.name);
    if (!number.shown || found == values_.end() || found->second.size() < 3) continue;
    const std::size_t columns = std::min<std::size_t>(width - name_columns - number_columns, 64);
    const auto [low, high] = extremes(found->second);
    lines.push_back(fmt::format("{:<{}.{}} {} {:.4g} to {:.4g}", number.name, name_columns - 1,
                                name_columns - 1, sparkline(found->second, columns, unicode_), low,
                                high));
  }
  return lines;
}

}  // namespace lbm::cases
