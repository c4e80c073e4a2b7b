// SPDX-License-Identifier: Apache-2.0
#include "cases/case/schema/case_reference.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <vector>

namespace lbm::cases {
namespace {

struct Page {
  std::map<std::string, KeyTexts> rows;       // by Key::row
  std::map<std::string, std::string> groups;  // introductions
};

// "| `a` | b | c |" to "`a`", "b", "c"
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 2; at < line.size();) {
    const std::size_t end = std::min(line.find(" |", at), line.size());
    cells.push_back(line.substr(at, end - at));
    at = end + 3;
  }
  return cells;
}

std::string without_quotes(const std::string& cell) {
  const bool quoted =
      cell.size() > 1 && cell.front() == '`' && cell.find('`', 1) == cell.size() - 1;
  return quoted ? cell.substr(1, cell.size() - 2) : cell;
}

Page parse() {
  Page page;
  std::istringstream text(case_reference_markdown());
  std::string group;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("## ")) {
      group = line.substr(3);
    } else if (line.starts_with("| `")) {
      const auto cells = cells_of(line);
      page.rows[without_quotes(cells.at(0))] = {cells.at(1), without_quotes(cells.at(2)),
                                                cells.at(3), cells.at(4)};
    } else if (!line.empty() && !line.starts_with("|")) {
      page.groups.emplace(group, line);
    }
  }
  return page;
}

const Page& page() {
  static const Page parsed = parse();
  return parsed;
}

}  // namespace

const KeyTexts& texts_of(const Key& key) { return page().rows.at(key.row); }

std::string group_introduction(const std::string& group) {
  const auto found = page().groups.find(group);
  return group.empty() || found == page().groups.end() ? "" : found->second;
}

}  // namespace lbm::cases
