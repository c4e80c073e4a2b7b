// SPDX-License-Identifier: Apache-2.0

// Texts made of values: templates in a part of Jinja's syntax, whose expressions are formulas of
// muParser.
#pragma once

#include <map>
#include <string>

#include "io/text/json.hpp"

namespace lbm::formula {

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
