// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/doctor/doctor_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "solver/core/error.hpp"

namespace lbm::cases::doctor {
namespace {

constexpr std::size_t width = 100, indent = 30;

// `text` behind `start`, which is `indent` wide; the lines after the first are indented as much.
std::string wrapped(std::string start, const std::string& text) {
  std::string all, line = std::move(start);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (line.size() + word.size() > width && line.size() > indent) {
      all += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      line = std::string(indent, ' ');
    }
    line += word + " ";
    begin = end + 1;
  }
  return all + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string counts_text(const DoctorFacts& facts, const Checks& checks) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(checks.begin(), checks.end(),
                         [&](const Check& check) { return check.verdict == verdict; });
  };
  const std::string text = fmt::format("{} OK, {} FALLBACK, {} REFUSED", count(Verdict::ok),
                                       count(Verdict::fallback), count(Verdict::refused));
  if (exit_code_of(checks) != exit_ok) return text + ": no run can start\n";
  if (facts.described() || count(Verdict::refused) > 0) return text + "\n";
  return text + ": runs can start\n";
}

}  // namespace

std::string page_text(const DoctorFacts& facts, const Checks& checks) {
  const BuildFacts& build = facts.build;
  std::string text =
      fmt::format("lbm {}, commit {} ({}, {})\n{}, {}, {}\n", build.version, build.commit,
                  build.type, build.compiler, facts.date, facts.kernel, facts.system);
  if (facts.described()) {
    text += fmt::format("a described machine: its files are in {} (LBM_SYSTEM_ROOT)\n", facts.root);
  }
  text += "\n";
  for (const Check& check : checks) {
    text +=
        wrapped(fmt::format("{:<10}{:<20}", to_string(check.verdict), check.name), check.finding);
    if (!check.remedy.empty()) {
      text += wrapped(std::string(indent, ' '), "remedy: " + check.remedy);
    }
  }
  return text + "\n" + counts_text(facts, checks);
}

io::Json page_json(const DoctorFacts& facts, const Checks& checks) {
  const BuildFacts& build = facts.build;
  io::Json json = {{"version", build.version},
                   {"commit", build.commit},
                   {"build_type", build.type},
                   {"compiler", build.compiler},
                   {"date", facts.date},
                   {"kernel", facts.kernel},
                   {"system", facts.system},
                   {"system_root", facts.root},
                   {"can_run", exit_code_of(checks) == exit_ok},
                   {"checks", io::Json::array()}};
  for (const Check& check : checks) {
    json["checks"].push_back({{"name", check.name},
                              {"verdict", to_string(check.verdict)},
                              {"finding", check.finding},
                              {"remedy", check.remedy}});
  }
  return json;
}

int exit_code_of(const Checks& checks) {
  const bool fatal =
      std::any_of(checks.begin(), checks.end(), [](const Check& check) { return check.fatal; });
  return fatal ? exit_resources : exit_ok;
}

}  // namespace lbm::cases::doctor
