// SPDX-License-Identifier: Apache-2.0
#include "cases/case/tables/number_table.hpp"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <string_view>

#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases {
namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const auto comma = line.find(',');
    std::string_view field = line.substr(0, comma);
    const auto first = field.find_first_not_of(" \t\r");
    const auto last = field.find_last_not_of(" \t\r");
    fields.push_back(first == std::string_view::npos ? "" : field.substr(first, last - first + 1));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

std::optional<std::vector<double>> numbers_of(std::string_view line, std::size_t columns) {
  const auto fields = fields_of(line);
  if (fields.size() != columns) return std::nullopt;
  std::vector<double> row;
  for (const std::string_view field : fields) {
    const auto value = parse_number(field);
    if (!value) return std::nullopt;
    row.push_back(*value);
  }
  return row;
}

// A typing error in the first line of numbers must not make it a line of names.
bool are_names(std::string_view line) {
  bool any = false;
  for (const std::string_view field : fields_of(line)) {
    if (!field.empty() && std::string_view("0123456789+-.").find(field[0]) != std::string::npos) {
      return false;
    }
    any = any || !field.empty();
  }
  return any;
}

// Spreadsheets write one.
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

}  // namespace

std::vector<std::vector<double>> read_number_table(const std::string& path, std::size_t columns,
                                                   const std::string& what,
                                                   const std::string& line_rule) {
  std::ifstream file(path);
  if (!file) throw UsageError(fmt::format("{}: cannot read the table of {}", one_line(path), what));
  std::vector<std::vector<double>> rows;
  int number = 0;
  bool names_allowed = true;
  for (std::string line; std::getline(file, line);) {
    if (++number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.empty() || line[0] == '#' || line == "\r") continue;
    auto row = numbers_of(line, columns);
    if (!row && !(names_allowed && are_names(line))) {
      throw UsageError(fmt::format("{}:{}: found \"{}\", must be {}", one_line(path), number,
                                   one_line(line, 60), line_rule));
    }
    names_allowed = false;
    if (row) rows.push_back(std::move(*row));
  }
  if (rows.empty()) {
    throw UsageError(fmt::format("{}: missing: lines of {}", one_line(path), line_rule));
  }
  return rows;
}

}  // namespace lbm::cases
