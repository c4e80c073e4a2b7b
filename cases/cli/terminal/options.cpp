// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/terminal/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace lbm::cases {
namespace {

// `--out "$DIR"` where DIR is not set.
std::string not_empty(const std::string& name) {
  return name.empty() ? "found an empty name, must be a file or directory" : "";
}

bool is(const YAML::Node& about, const char* key) { return about[key].as<bool>(false); }

void add_option(CLI::App& command, const std::string& name, const YAML::Node& about,
                Options& options) {
  const std::string dashed = (is(about, "position") ? "" : "--") + name;
  const auto help = about["help"].as<std::string>();
  if (!about["value"]) {
    command.add_flag_callback(
        dashed, [&options, name] { options.set(name, ""); }, help);
    return;
  }
  CLI::Option* option = nullptr;
  if (is(about, "many") || is(about, "list")) {
    option = command.add_option_function<std::vector<std::string>>(
        dashed,
        [&options, name](const std::vector<std::string>& values) {
          for (const std::string& value : values) options.add(name, value);
        },
        help);
    // Without allow_extra_args(false), one --set would swallow the case file after it.
    if (is(about, "many")) {
      option->expected(1)->allow_extra_args(false)->multi_option_policy(
          CLI::MultiOptionPolicy::TakeAll);
    } else {
      option->delimiter(',');
    }
  } else {
    const auto usual = about["default"].as<std::string>("");
    option = command.add_option_function<std::string>(
        dashed, [&options, name](const std::string& value) { options.set(name, value); },
        usual.empty() ? help : help + " (default: " + usual + ")");
  }
  const auto kind = about["kind"].as<std::string>("");
  if (kind == "name") option->check(not_empty);
  if (kind == "whole") option->check(CLI::TypeValidator<int>(""));
  if (kind == "number") option->check(CLI::TypeValidator<double>(""));
  if (about["words"]) {
    const auto words = about["words"].as<std::vector<std::string>>();
    option->check([words](const std::string& word) {
      const bool known = std::find(words.begin(), words.end(), word) != words.end();
      return known ? "" : fmt::format("found {}, must be of {}", word, fmt::join(words, ", "));
    });
  }
  option->type_name(about["value"].as<std::string>())->required(is(about, "required"));
}

}  // namespace

bool Options::has(const std::string& name) const { return given_.contains(name); }

std::string Options::text(const std::string& name) const {
  return has(name) ? given_.at(name).back() : "";
}

double Options::number(const std::string& name, double otherwise) const {
  return has(name) ? std::strtod(text(name).c_str(), nullptr) : otherwise;
}

int Options::whole(const std::string& name, int otherwise) const {
  return has(name) ? static_cast<int>(std::strtol(text(name).c_str(), nullptr, 0)) : otherwise;
}

std::vector<std::string> Options::all(const std::string& name) const {
  return has(name) ? given_.at(name) : std::vector<std::string>();
}

void add_options(CLI::App& command, const YAML::Node& described, Options& options) {
  for (const auto& entry : described) {
    add_option(command, entry.first.as<std::string>(), entry.second, options);
  }
}

}  // namespace lbm::cases
