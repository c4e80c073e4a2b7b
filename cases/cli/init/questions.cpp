// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/questions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {

std::string Questions::line(const std::string& prompt) {
  out_ << prompt << std::flush;
  std::string text;
  if (!std::getline(in_, text)) {
    throw UsageError(
        "lbm init: the input ended before all questions were answered; nothing is written");
  }
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

const Flow& Questions::flow() {
  out_ << "Which flow?\n";
  for (std::size_t i = 0; i < flows().size(); ++i) {
    out_ << fmt::format("  {}  {:<12} {}\n", i + 1, flows()[i].name, flows()[i].help);
  }
  for (;;) {
    const std::string answer = line("Number or name: ");
    const auto number = parse_whole(answer);
    for (std::size_t i = 0; i < flows().size(); ++i) {
      const bool by_number = number && *number == static_cast<std::int64_t>(i + 1);
      if (by_number || flows()[i].name == answer) return flows()[i];
    }
    out_ << fmt::format("  \"{}\" is none of them\n", one_line(answer, 40));
  }
}

void Questions::ask(const Flow& flow, std::map<std::string, std::string>& given, bool all) {
  for (const Option& option : flow.options) {
    if (given.contains(option.name) || (!all && !option.required)) continue;
    for (;;) {
      const std::string usual = option.required           ? ""
                                : option.fallback.empty() ? " [Enter: none]"
                                                          : fmt::format(" [{}]", option.fallback);
      const std::string answer = line(fmt::format("{} ({}){}: ", option.help, option.value, usual));
      if (answer.empty() && !option.required) break;
      const std::string fault = answer.empty() ? "an answer is needed" : fault_of(option, answer);
      if (fault.empty()) {
        given[option.name] = answer;
        break;
      }
      out_ << "  " << fault << "\n";
    }
  }
}

}  // namespace lbm::cases::init
