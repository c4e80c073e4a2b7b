// SPDX-License-Identifier: Apache-2.0

// Options of commands as data: what --help shows of them is in YAML, which is part of the program.
#pragma once

#include <yaml-cpp/yaml.h>

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace lbm::cases {

// The options that the command line gave to a command, by name without dashes.
class Options {
 public:
  bool has(const std::string& name) const;
  // The last value of an option; "" without one.
  std::string text(const std::string& name) const;
  double number(const std::string& name, double otherwise) const;
  int whole(const std::string& name, int otherwise) const;
  std::vector<std::string> all(const std::string& name) const;

  void set(const std::string& name, const std::string& value) { given_[name] = {value}; }
  void add(const std::string& name, const std::string& value) { given_[name].push_back(value); }

 private:
  std::map<std::string, std::vector<std::string>> given_;
};

// Adds options to a command. described: a map of names, each with `help` and
//   value     what the help shows for the value; without it the option is a flag
//   default   words for the help alone
//   required  must be given; position: has no name; many: may be given several times
//   list      values with commas between them
//   words     all that a value may be
//   kind      whole or number: refused for other texts; name: refused where it is empty
// options: must outlive the parsing.
void add_options(CLI::App& command, const YAML::Node& described, Options& options);

}  // namespace lbm::cases
