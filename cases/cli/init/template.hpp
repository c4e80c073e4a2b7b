// SPDX-License-Identifier: Apache-2.0

// Templates in a part of Jinja's syntax, whose expressions are formulas of muParser.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace lbm::cases::init {

// Numbers and texts of a template by name. Names are those of muParser: letters, digits and
// underscores.
struct Values {
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;

  // The value of a formula of `numbers`. Its functions are those of muParser, and cbrt, ceil,
  // floor, round (to a whole number), rounded(x, digits) and rounded_up(x, digits). Throws
  // logic_error for what is no formula: templates are part of the program.
  double number(const std::string& formula) const;

  // The line with its {{ }} replaced. These hold a name of `texts`; a formula, which is printed
  // with six digits, or as many as follow a bar ({{ cell | 9 }}); or 'a' if FORMULA else 'b'.
  std::string filled(const std::string& line) const;

  // The case text of a template with lines {% if FORMULA %}, {% else %}, {% endif %} and
  // {% include PART %}. Comments behind two spaces and # are put into a column and wrapped there.
  std::string rendered(const std::string& text,
                       const std::map<std::string, std::string>& parts) const;
};

double rounded_up(double value, int digits);    // to so many significant digits; for value > 0
double rounded_down(double value, int digits);  // likewise

}  // namespace lbm::cases::init
