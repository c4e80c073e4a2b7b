// SPDX-License-Identifier: Apache-2.0

// Numbers of the flow over time as lines of text, for the terminal.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cases/run/records/flow_status.hpp"

namespace lbm::cases {

// One letter for each of at most `columns` equal parts of the values: its mean, between the
// smallest and the largest mean. unicode: blocks of eight heights; else letters of ASCII. Values
// that are not finite leave a blank.
std::string sparkline(std::span<const double> values, std::size_t columns, bool unicode);

// True if the first of LC_ALL, LC_CTYPE and LANG that is set names UTF-8.
bool terminal_has_unicode();

// The numbers of a run since it began. Memory is bounded: beyond 2048 values of a name every second
// one is left out.
class FlowChart {
 public:
  explicit FlowChart(bool unicode) : unicode_(unicode) {}

  // Another moment, with the numbers of flow_numbers(). Moments of equal numbers count once.
  void add(const std::vector<FlowNumber>& numbers);
  // A line for each number of the last moment that is to be shown: name, curve, smallest and
  // largest value. Empty before the third moment. width: of a line, in columns.
  std::vector<std::string> lines(std::size_t width) const;

 private:
  bool unicode_;
  std::vector<FlowNumber> last_;
  std::map<std::string, std::vector<double>> values_;  // by name
  std::size_t stride_ = 1, skipped_ = 0;               // one moment in `stride_` is kept
};

}  // namespace lbm::cases
