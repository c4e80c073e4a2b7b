// SPDX-License-Identifier: Apache-2.0

// Formulas of a case: their texts, values that are refused, places that are sampled.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cases/formula/formula.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::formula_values {

using Evaluators = std::vector<formula::Formula::Evaluator>;

// key: with file and line.
[[noreturn]] inline void refuse(const std::string& key, const std::string& what) {
  throw UsageError(key + ": " + what);
}

// component: "uy: ", or empty. Throws UsageError.
inline formula::Formula parse(const std::string& key, const std::string& component,
                              const std::string& text, const formula::Names& names) {
  try {
    return formula::Formula(text, names);
  } catch (const formula::FormulaError& error) {
    refuse(key, component + error.what());
  }
}

[[noreturn]] inline void refuse_value(const std::string& key, const std::string& name, double value,
                                      const std::string& place) {
  const std::string number = std::isnan(value) ? "nan" : fmt::format("{:.6g}", value);
  refuse(key, fmt::format("{} is {} at {}, must be finite everywhere: change the formula there",
                          name, number, place));
}

// Up to 13 numbers from 0 to n - 1, both among them.
inline std::vector<int> sample(int n) {
  const int count = std::min(n, 13);
  std::vector<int> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    all.push_back(count == 1 ? 0 : static_cast<int>(std::int64_t{n - 1} * i / (count - 1)));
  }
  return all;
}

}  // namespace lbm::cases::formula_values
