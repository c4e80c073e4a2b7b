// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/init/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "cases/case/limits.hpp"
#include "cases/case/scalars.hpp"
#include "solver/core/error.hpp"

namespace lbm::cases::init {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw UsageError(fmt::format("--{}: {}", name, what));
}

}  // namespace

std::string quoted(const std::string& text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string("_-./,+:").find(static_cast<char>(c)) != std::string::npos;
  });
  if (plain) return text;
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string fault_of(const Option& option, const std::string& value) {
  const auto& words = option.words;
  if (words.empty() || std::find(words.begin(), words.end(), value) != words.end()) return "";
  return fmt::format("found \"{}\", must be {}", value, fmt::join(words, ", "));
}

const Option& Answers::option(const std::string& name) const {
  return *std::find_if(options_.begin(), options_.end(),
                       [&](const Option& o) { return o.name == name; });
}

void Answers::check() const {
  for (const Option& o : options_) {
    if (o.required && !given(o.name)) {
      throw UsageError(fmt::format("missing: --{} {}: {}", o.name, o.value, o.help));
    }
    if (!given(o.name)) continue;
    const std::string fault = fault_of(o, text(o.name));
    if (!fault.empty()) fail(o.name, fault);
  }
}

bool Answers::given(const std::string& name) const { return given_.contains(name); }

std::string Answers::text(const std::string& name) const {
  const auto at = given_.find(name);
  return at == given_.end() ? option(name).fallback : at->second;
}

double Answers::positive(const std::string& name) const {
  const auto number = parse_number(text(name));
  constexpr double least = 1e-15, most = 1e15;  // beyond, products and ratios leave double
  if (!number || !(*number >= least && *number <= most)) {
    fail(name,
         fmt::format("found \"{}\", must be a number > 0, from {} to {}", text(name), least, most));
  }
  return *number;
}

std::optional<double> Answers::maybe_positive(const std::string& name) const {
  if (text(name).empty() && !given(name)) return std::nullopt;
  return positive(name);
}

std::int64_t Answers::whole(const std::string& name) const {
  const auto number = parse_whole(text(name));
  if (!number) fail(name, fmt::format("found \"{}\", must be a whole number", text(name)));
  return *number;
}

std::array<int, 3> Answers::three_whole(const std::string& name) const {
  std::array<int, 3> result{};
  const std::string all = text(name) + ",";
  std::size_t begin = 0;
  std::size_t count = 0;
  for (std::size_t comma; (comma = all.find(',', begin)) != std::string::npos; begin = comma + 1) {
    const auto number = parse_whole(all.substr(begin, comma - begin));
    const bool good = number && *number >= 1 && *number <= max_cells_per_axis && count < 3;
    if (!good) {
      count = 4;
      break;
    }
    result[count++] = static_cast<int>(*number);
  }
  if (count != 3) {
    fail(name,
         fmt::format("found \"{}\", must be three whole numbers such as 100,100,200", text(name)));
  }
  return result;
}

std::string Answers::command_line() const {
  std::string line;
  for (const Option& o : options_) {
    if (given(o.name)) line += fmt::format(" --{} {}", o.name, quoted(text(o.name)));
  }
  return line;
}

}  // namespace lbm::cases::init
