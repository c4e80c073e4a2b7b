// SPDX-License-Identifier: Apache-2.0
#include "cases/case/case_location.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

#include "cases/case/scalars.hpp"

namespace lbm::cases {

std::string where(const Case& lbm_case, const std::string& key) {
  for (std::string path = key; !path.empty();) {
    if (lbm_case.overridden.contains(path)) return "--set " + key;
    const auto line = lbm_case.lines.find(path);
    if (line != lbm_case.lines.end() && !lbm_case.file.empty()) {
      return fmt::format("{}:{}: {}", one_line(lbm_case.file), line->second, key);
    }
    const auto dot = path.rfind('.');
    path = dot == std::string::npos ? "" : path.substr(0, dot);
  }
  return lbm_case.file.empty() ? "case." + key : one_line(lbm_case.file) + ": " + key;
}

std::string name_in_messages(const Case& lbm_case) {
  return lbm_case.file.empty() ? "case" : one_line(lbm_case.file);
}

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

// act(file) for each name of a file, empty ones included.
template <class AnyCase, class Act>
void for_each_file(AnyCase& lbm_case, const Act& act) {
  for (auto& face : lbm_case.faces) {
    act(face.file);
    for (auto& patch : face.patches) act(patch.file);
  }
  for (auto& body : lbm_case.bodies) act(body.file);
  act(lbm_case.initial.file);
  for (auto& expected : lbm_case.expect) act(expected.file);
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

std::string path_of(const Case& lbm_case, const std::string& file) {
  return (std::filesystem::path(lbm_case.file).parent_path() / file).string();
}

std::vector<std::string> files_of(const Case& lbm_case) {
  std::vector<std::string> files;
  for_each_file(lbm_case, [&](const std::string& file) {
    const bool known = std::find(files.begin(), files.end(), file) != files.end();
    if (!file.empty() && !known) files.push_back(file);
  });
  return files;
}

Case with_whole_paths(Case lbm_case) {
  for_each_file(lbm_case, [&](std::string& file) {
    if (!file.empty()) file = std::filesystem::absolute(path_of(lbm_case, file)).string();
  });
  return lbm_case;
}

}  // namespace lbm::cases
