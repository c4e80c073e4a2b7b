// SPDX-License-Identifier: Apache-2.0

// A formula of named numbers: "U * sin(2*pi*x/lx)"; docs/formulas.md lists operators and functions.
// Texts made of values: templates in a part of Jinja's syntax, whose expressions are formulas.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "io/text/json.hpp"

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

// Values are the members of a JSON object. A name is a path: `mlups`, `cells.0`, `row.name`. As a
// number a truth is 1 or 0, a text or list its length, null 0. Templates are part of the program:
// what is no formula, and a name without a value, throw logic_error.

// The value of a formula. Functions: those of muParser, and cbrt, ceil, floor, round (to a whole
// number), rounded(x, digits) and rounded_up(x, digits).
double number(const std::string& formula, const io::Json& values);

// The line with its {{ }} replaced. These hold a name or a formula; or 'a' if FORMULA else 'b', the
// rest may be absent. Filters follow bars: a format of fmt ({{ cell | .9g }}, {{ name | <20 }}),
// `bytes`, `seconds` (with a unit that suits), `none` ("none" in place of an empty text). Without a
// filter fractions have six digits, and the items of a list commas between them.
std::string filled(const std::string& line, const io::Json& values);

using Parts = std::map<std::string, std::string>;
// The text of a template with lines {% if FORMULA %}, {% else %}, {% endif %}, {% for NAME in LIST
// %}, {% endfor %} and {% include PART %}. Names without a value are 0 in conditions. Comments
// behind two spaces and # are put into a column and wrapped there.
std::string rendered(const std::string& text, const io::Json& values, const Parts& parts = {});

double rounded_up(double value, int digits);    // to so many significant digits; for value > 0
double rounded_down(double value, int digits);  // likewise

}  // namespace lbm::formula
