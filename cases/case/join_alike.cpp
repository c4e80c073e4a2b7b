// SPDX-License-Identifier: Apache-2.0
#include "cases/case/join_alike.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>

namespace lbm::cases {
namespace {

struct OfBody {
  std::string name, rest;  // rest: without numbers; empty: no line of a body
};

OfBody split(const std::string& line) {
  const std::string word = "bodies.";
  const std::size_t at = line.find(word);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + word.size(), end = line.find_first_of(".:", begin);
  if (end == std::string::npos) return {};
  OfBody found{line.substr(begin, end - begin), line.substr(end)};
  std::erase_if(found.rest, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
  return found;
}

}  // namespace

std::vector<std::string> join_alike(std::vector<std::string> lines) {
  constexpr std::size_t most_lines = 3, most_named = 5;
  std::map<std::string, std::vector<std::string>> names;
  for (const std::string& line : lines) {
    const OfBody one = split(line);
    if (!one.rest.empty()) names[one.rest].push_back(one.name);
  }
  std::vector<std::string> joined;
  for (std::string& line : lines) {
    const OfBody one = split(line);
    const auto alike = names.find(one.rest);
    if (alike == names.end() || alike->second.size() <= most_lines) {
      joined.push_back(std::move(line));
    } else if (one.name == alike->second.front()) {
      const auto others = std::span(alike->second).subspan(1);
      joined.push_back(
          fmt::format("{} (and alike for {} other bodies: {}{})", line, others.size(),
                      fmt::join(others.first(std::min(others.size(), most_named)), ", "),
                      others.size() > most_named ? ", ..." : ""));
    }
  }
  return joined;
}

}  // namespace lbm::cases
