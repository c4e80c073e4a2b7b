// SPDX-License-Identifier: Apache-2.0

// The options of one `lbm init FLOW`, and what the user said about them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lbm::cases::init {

struct Option {
  std::string name;      // "speed" of --speed
  std::string value;     // "M/S": what the help shows
  std::string help;      // one line, without its default
  std::string fallback;  // empty: none
  bool required = false;
  std::vector<std::string> words = {};  // all that is allowed; empty: anything
};

// Values as text, so that the command line and the questions share all checks. Each getter throws
// UsageError, one line that begins with the option.
class Answers {
 public:
  Answers(const std::vector<Option>& options, std::map<std::string, std::string> given)
      : options_(options), given_(std::move(given)) {}

  // Throws UsageError for a required option that is missing, and for a word that is not allowed.
  void check() const;
  bool given(const std::string& name) const;
  std::string text(const std::string& name) const;  // the default where it is not given
  double positive(const std::string& name) const;
  std::optional<double> maybe_positive(const std::string& name) const;
  std::int64_t whole(const std::string& name) const;
  std::array<int, 3> three_whole(const std::string& name) const;  // "100,100,200"
  // " --speed 30 --stl 'my car.stl'": the same again on a command line.
  std::string command_line() const;

 private:
  const Option& option(const std::string& name) const;

  const std::vector<Option>& options_;
  std::map<std::string, std::string> given_;
};

// A word of a command line, in quotes where a shell needs them.
std::string quoted(const std::string& text);

// "found "x", must be a number > 0" and the like; empty where the option takes the value.
std::string fault_of(const Option& option, const std::string& value);

}  // namespace lbm::cases::init
