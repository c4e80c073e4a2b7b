// Tables of numbers as CSV.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lbm::io {

struct CsvTable {
  std::vector<std::string> comments;      // each line is printed as "# line" above the table
  std::vector<std::string> columns;       // names, one per column
  std::vector<std::vector<double>> data;  // data[column][row]; all columns equally long
};

// The text of the table: comments, one line of names, one line a row. Doubles read back to the same
// bits. Throws std::invalid_argument when names and columns do not match.
std::string csv_text(const CsvTable& table);

// Writes it under a temporary name, then renames (write_file_atomically). Throws ResourceError.
void write_csv(const std::filesystem::path& path, const CsvTable& table);

}  // namespace lbm::io
