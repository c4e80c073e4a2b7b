// SPDX-License-Identifier: Apache-2.0

// A formula of named numbers: "U * sin(2*pi*x/lx)". docs/formulas.md lists operators and functions.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace lbm::formula {

// Bytes of a formula.
inline constexpr std::size_t longest = 1000;

// Why a text is no formula: one line, with the position in the text and its remedy.
struct FormulaError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The names that a formula may use.
struct Names {
  std::vector<std::string> variables;  // values follow at each evaluation
  std::vector<std::pair<std::string, double>> constants;
  // Names that are no names here, and why, for messages.
  std::vector<std::pair<std::string, std::string>> elsewhere{};
};

// The functions of all formulas, sorted.
const std::vector<std::string>& function_names();

// A value; copies share the parsed formula.
class Formula {
 public:
  // Throws FormulaError.
  Formula(const std::string& text, const Names& names);

  // True if the value depends on the variable at this position in Names::variables.
  bool uses(std::size_t variable) const;

  // The value for one value of each variable. The same bits in every thread and at every call; NaN
  // and infinity are possible, subnormal numbers become 0. Evaluators are kept: a loop takes one,
  // which costs a lock, and calls it for each point.
  class Evaluator {
   public:
    explicit Evaluator(const Formula& formula);
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) = delete;

    // values: as many as Names::variables.
    double operator()(std::span<const double> values);

   private:
    struct Parser;
    friend class Formula;
    struct Shared;
    std::shared_ptr<Shared> shared_;
    std::unique_ptr<Parser> parser_;
  };

 private:
  friend class Evaluator;
  std::shared_ptr<Evaluator::Shared> shared_;
};

}  // namespace lbm::formula
