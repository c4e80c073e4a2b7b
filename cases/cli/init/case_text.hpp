// SPDX-License-Identifier: Apache-2.0

// The text of a case file, with its comments in a column.
#pragma once

#include <string>

namespace lbm::cases::init {

class CaseText {
 public:
  // Whole lines of comment; long ones are wrapped.
  void comment(const std::string& text);
  // "  reynolds: 100", and a comment behind it that is wrapped below itself.
  void line(const std::string& keys, const std::string& comment = "");
  void blank() { text_ += '\n'; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// "0.0753", at most so many digits, without an exponent where it is short.
std::string digits(double value, int count = 6);
double rounded(double value, int digits);       // to so many significant digits
double rounded_up(double value, int digits);    // likewise, away from 0; for value > 0
double rounded_down(double value, int digits);  // likewise, towards 0

}  // namespace lbm::cases::init
