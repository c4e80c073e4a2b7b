// SPDX-License-Identifier: Apache-2.0

// Tables of numbers as CSV.
#pragma once

#include <string>
#include <vector>

#include "io/files/place.hpp"

namespace lbm::io {

struct CsvTable {
  std::vector<std::string> comments;      // printed above the table, each line as "# line"
  std::vector<std::string> columns;       // one name per column
  std::vector<std::vector<double>> data;  // data[column][row]; columns of equal length
};

// The table as text: comments, a line of names, a line for each row. Doubles read back to the same
// bits. Throws std::invalid_argument if the numbers of names and columns differ, or column lengths.
std::string csv_text(const CsvTable& table);

// Writes the text with write_file_atomically(). Throws ResourceError.
void write_csv(const Place& place, const CsvTable& table);

}  // namespace lbm::io
