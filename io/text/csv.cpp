// SPDX-License-Identifier: Apache-2.0
#include "io/text/csv.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>
#include <stdexcept>

#include "io/files/atomic_file.hpp"

namespace lbm::io {
namespace {

std::string csv_name(const std::string& name) {
  if (name.find_first_of(",\"\n\r#") == std::string::npos) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

void append_number(std::string& text, double value) {
  char buffer[32];
  text.append(buffer, std::to_chars(std::begin(buffer), std::end(buffer), value).ptr);
}

void check(const CsvTable& table) {
  if (table.columns.size() != table.data.size())
    throw std::invalid_argument(
        fmt::format("CSV: {} names for {} columns", table.columns.size(), table.data.size()));
  for (std::size_t c = 0; c < table.data.size(); ++c)
    if (table.data[c].size() != table.data[0].size())
      throw std::invalid_argument(fmt::format("CSV: column '{}' has {} rows, '{}' has {}",
                                              table.columns[c], table.data[c].size(),
                                              table.columns[0], table.data[0].size()));
}

}  // namespace

std::string csv_text(const CsvTable& table) {
  check(table);
  std::string text;
  for (const auto& comment : table.comments) {
    std::istringstream lines(comment);
    for (std::string line; std::getline(lines, line);) text.append("# ").append(line).append("\n");
  }
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    text.append(c > 0 ? "," : "").append(csv_name(table.columns[c]));
  text += '\n';
  const std::size_t rows = table.data.empty() ? 0 : table.data[0].size();
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < table.data.size(); ++c) {
      if (c > 0) text += ',';
      append_number(text, table.data[c][row]);
    }
    text += '\n';
  }
  return text;
}

void write_csv(const Place& place, const CsvTable& table) {
  write_file_atomically(place, csv_text(table));
}

}  // namespace lbm::io
