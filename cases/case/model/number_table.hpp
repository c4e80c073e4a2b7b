// Numbers from a CSV file that a case names.
#pragma once

#include <string>
#include <vector>

namespace lbm::cases {

// Lines of `columns` numbers; lines that begin with # and one line of names are skipped. what: for
// messages, what the file holds and what a line must be, such as "velocities", "five numbers: ...".
// Throws UsageError, one line with the file and what is wrong, also for a file without numbers.
std::vector<std::vector<double>> read_number_table(const std::string& path, std::size_t columns,
                                                   const std::string& what,
                                                   const std::string& line_rule);

}  // namespace lbm::cases
