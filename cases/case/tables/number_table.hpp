// SPDX-License-Identifier: Apache-2.0

// Numbers from CSV files of a case.
#pragma once

#include <string>
#include <vector>

namespace lbm::cases {

// Reads lines of `columns` numbers; skips lines that begin with # and one line of column names
// above them, none of which begins as a number does. what, line_rule: for messages, the content of
// the file and of a line, such as "velocities", "five numbers: ...". Throws UsageError, one line
// with the file and the error, also for a file without numbers.
std::vector<std::vector<double>> read_number_table(const std::string& path, std::size_t columns,
                                                   const std::string& what,
                                                   const std::string& line_rule);

}  // namespace lbm::cases
